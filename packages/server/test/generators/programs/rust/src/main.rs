// Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
// one cannot be deleted, with the client of the generator `rust`.

use std::{env, time::Duration};

use client::apis::{self, configuration::Configuration, vessel_api, voyage_api};
use client::apis::{webhook_notification_api, webhook_subscription_api};
use client::models::{self, port_call_element_create::ReasonForCall, voyage_create::VoyageStatus};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut configuration = Configuration::new();
    configuration.bearer_access_token = Some(env::var("FLAGHOIST_TOKEN")?);

    let vessel = models::VesselCreate::new("Rust".to_string());
    let vessel = vessel_api::create_vessel(&configuration, vessel, None, None, None, None).await?;
    let mut body = models::VoyageCreate::new();
    body.vessel = Some(Some(Box::new(models::VesselReferenceInput::new(vessel.key))));
    body.voyage_status = Some(Some(VoyageStatus::Nom));
    body.freight = Some(Some(1234567.89));
    let ports = env::var("PORT_KEYS")?;
    let references = ports.split(',').map(|key| key.parse().map(models::PortReferenceInput::new));
    let references = references.collect::<Result<Vec<_>, _>>()?;
    let call = |port| models::PortCallElementCreate::new(ReasonForCall::L, port);
    body.port_calls = Some(references.into_iter().map(call).collect());
    let created = voyage_api::create_voyage(&configuration, body, None, None, None, None).await?;
    let voyage = voyage_api::get_voyage(&configuration, created.key, None, None, None, None).await?;

    let mut wanted = models::WebhookSubscriptionCreate::new();
    wanted.event_types = Some(Some(vec!["Voyage.U".to_string()]));
    wanted.url = Some(Some(env::var("RECEIVER_URL")?));
    let subscription =
        webhook_subscription_api::create_webhook_subscription(&configuration, wanted, None, None, None, None).await?;
    let mut change = models::VoyageChange::new();
    change.comments = Some(Some("Changed".to_string()));
    voyage_api::update_voyage(&configuration, voyage.key, change, None, None, None, None).await?;

    let filter = vec![format!("subscription.key(EQ){}", subscription.key)];
    let mut keys = vec![];
    while keys.is_empty() {
        tokio::time::sleep(Duration::from_millis(100)).await;
        let listed = webhook_notification_api::list_webhook_notifications(
            &configuration, Some(filter.clone()), None, None, None, None, None, None, None, None,
        );
        keys = listed.await?.into_iter().flat_map(|notification| notification.object_key).collect();
    }
    let scrapped = models::VesselCreate::new("Scrapped".to_string());
    let scrapped = vessel_api::create_vessel(&configuration, scrapped, None, None, None, None).await?;
    vessel_api::delete_vessel(&configuration, scrapped.key, None, None).await?;
    let deletion =
        webhook_subscription_api::delete_webhook_subscription(&configuration, subscription.key, None, None);
    let Err(apis::Error::ResponseError(failure)) = deletion.await else {
        return Err("an active subscription was deleted".into());
    };
    // The variants of the typed error have the same content, so the first one always matches, whatever the status is.
    let error: models::ErrorBody = serde_json::from_str(&failure.content)?;

    let vessel = voyage.vessel.flatten().ok_or("no vessel")?;
    let output = serde_json::json!({
        "voyage": voyage.key,
        "vesselName": vessel.vessel_name,
        "portCalls": voyage.port_calls.ok_or("no port calls")?.len(),
        "status": voyage.voyage_status,
        "freight": voyage.freight,
        "subscription": subscription.key,
        "notifiedKeys": keys,
        "secretLength": subscription.signing_secret.ok_or("no secret")?.len(),
        "deleted": scrapped.key,
        "error": error.message,
    });
    println!("{output}");
    Ok(())
}
