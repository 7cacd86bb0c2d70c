"""Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
one cannot be deleted, with the client of the generator `python`."""

import json
import os
import time

import openapi_client
from openapi_client import (
    ErrorBody,
    PortCallElementCreate,
    PortReferenceInput,
    VesselCreate,
    VesselReferenceInput,
    VoyageChange,
    VoyageCreate,
    WebhookNotificationMinimized,
    WebhookSubscriptionCreate,
)
from openapi_client.exceptions import ConflictException

configuration = openapi_client.Configuration(access_token=os.environ["FLAGHOIST_TOKEN"])
with openapi_client.ApiClient(configuration) as client:
    voyages = openapi_client.VoyageApi(client)
    vessels = openapi_client.VesselApi(client)
    vessel = vessels.create_vessel(VesselCreate(vesselName="Python"))
    body = VoyageCreate(
        vessel=VesselReferenceInput(vessel.key),
        voyageStatus="NOM",
        freight=1234567.89,
        portCalls=[
            PortCallElementCreate(port=PortReferenceInput(port), reasonForCall="L")
            for port in os.environ["PORTS"].split(",")
        ],
    )
    voyage = voyages.get_voyage(voyages.create_voyage(body).key)

    subscriptions = openapi_client.WebhookSubscriptionApi(client)
    subscription = subscriptions.create_webhook_subscription(
        WebhookSubscriptionCreate(eventTypes=["Voyage.U"], url=os.environ["RECEIVER_URL"])
    )
    voyages.update_voyage(voyage.key, VoyageChange(comments="Changed"))

    log = openapi_client.WebhookNotificationApi(client)
    notifications: list[WebhookNotificationMinimized] = []
    while not notifications:
        time.sleep(0.1)
        notifications = log.list_webhook_notifications(filter=[f"subscription.key(EQ){subscription.key}"])

    scrapped = vessels.create_vessel(VesselCreate(vesselName="Scrapped"))
    vessels.delete_vessel(scrapped.key)
    try:
        subscriptions.delete_webhook_subscription(subscription.key)
        raise SystemExit("An active subscription was deleted.")
    except ConflictException as failure:
        error = failure.data
    assert isinstance(error, ErrorBody)

assert voyage.vessel and voyage.port_calls and subscription.signing_secret
print(
    json.dumps(
        {
            "voyage": voyage.key,
            "vesselName": voyage.vessel.vessel_name,
            "portCalls": len(voyage.port_calls),
            "status": voyage.voyage_status,
            "freight": voyage.freight,
            "subscription": subscription.key,
            "notifiedKeys": [notification.object_key for notification in notifications],
            "secretLength": len(subscription.signing_secret),
            "deleted": scrapped.key,
            "error": error.message,
        }
    )
)
