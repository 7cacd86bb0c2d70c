"""Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
one cannot be deleted, with the client of openapi-python-client."""

import json
import os
import time

from flaghoist_client import AuthenticatedClient
from flaghoist_client.api.vessel import create_vessel, delete_vessel
from flaghoist_client.api.voyage import create_voyage, get_voyage, update_voyage
from flaghoist_client.api.webhook_notification import list_webhook_notifications
from flaghoist_client.api.webhook_subscription import create_webhook_subscription, delete_webhook_subscription
from flaghoist_client.models import (
    ErrorBody,
    PortCallElementCreate,
    PortCallElementCreateReasonForCall,
    Vessel,
    VesselCreate,
    VesselReference,
    Voyage,
    VoyageChange,
    VoyageCreate,
    VoyageCreateVoyageStatusType0,
    WebhookSubscriptionCreate,
    WebhookSubscriptionCreated,
)

client = AuthenticatedClient(base_url=os.environ["FLAGHOIST_URL"], token=os.environ["FLAGHOIST_TOKEN"])
vessel = create_vessel.sync(client=client, body=VesselCreate(vessel_name="Python"))
assert isinstance(vessel, Vessel)
body = VoyageCreate(
    vessel=vessel.key,
    voyage_status=VoyageCreateVoyageStatusType0.NOM,
    freight=1234567.89,
    port_calls=[
        PortCallElementCreate(port=port, reason_for_call=PortCallElementCreateReasonForCall.L)
        for port in os.environ["PORTS"].split(",")
    ],
)
created = create_voyage.sync(client=client, body=body)
assert isinstance(created, Voyage)
voyage = get_voyage.sync(created.key, client=client)
assert isinstance(voyage, Voyage) and isinstance(voyage.vessel, VesselReference) and voyage.port_calls

subscription = create_webhook_subscription.sync(
    client=client, body=WebhookSubscriptionCreate(event_types=["Voyage.U"], url=os.environ["RECEIVER_URL"])
)
assert isinstance(subscription, WebhookSubscriptionCreated)
assert isinstance(subscription.signing_secret, str)
update_voyage.sync(voyage.key, client=client, body=VoyageChange(comments="Changed"))

keys: list[object] = []
while not keys:
    time.sleep(0.1)
    listed = list_webhook_notifications.sync(client=client, filter_=[f"subscription.key(EQ){subscription.key}"])
    assert isinstance(listed, list)
    keys = [notification.object_key for notification in listed]

scrapped = create_vessel.sync(client=client, body=VesselCreate(vessel_name="Scrapped"))
assert isinstance(scrapped, Vessel)
assert delete_vessel.sync_detailed(scrapped.key, client=client).status_code == 204
error = delete_webhook_subscription.sync(subscription.key, client=client)
assert isinstance(error, ErrorBody)

print(
    json.dumps(
        {
            "voyage": voyage.key,
            "vesselName": voyage.vessel.vessel_name,
            "portCalls": len(voyage.port_calls),
            "status": voyage.voyage_status,
            "freight": voyage.freight,
            "subscription": subscription.key,
            "notifiedKeys": keys,
            "secretLength": len(subscription.signing_secret),
            "deleted": scrapped.key,
            "error": error.message,
        }
    )
)
