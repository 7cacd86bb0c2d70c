// Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
// one cannot be deleted, with the client of the generator `java`.

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.api.VesselApi;
import org.openapitools.client.api.VoyageApi;
import org.openapitools.client.api.WebhookNotificationApi;
import org.openapitools.client.api.WebhookSubscriptionApi;
import org.openapitools.client.model.ErrorBody;
import org.openapitools.client.model.PortCallElementCreate;
import org.openapitools.client.model.PortReferenceInput;
import org.openapitools.client.model.Vessel;
import org.openapitools.client.model.VesselCreate;
import org.openapitools.client.model.VesselReferenceInput;
import org.openapitools.client.model.Voyage;
import org.openapitools.client.model.VoyageChange;
import org.openapitools.client.model.VoyageCreate;
import org.openapitools.client.model.WebhookNotificationMinimized;
import org.openapitools.client.model.WebhookSubscriptionCreate;
import org.openapitools.client.model.WebhookSubscriptionCreated;

public class Program {
    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.setBearerToken(System.getenv("FLAGHOIST_TOKEN"));
        VoyageApi voyages = new VoyageApi(client);

        VesselApi vessels = new VesselApi(client);
        Vessel vessel = vessels.createVessel(new VesselCreate().vesselName("Java"), null, null, null, null);
        VoyageCreate body = new VoyageCreate()
            .vessel(new VesselReferenceInput(vessel.getKey()))
            .voyageStatus(VoyageCreate.VoyageStatusEnum.NOM)
            .freight(new BigDecimal("1234567.89"));
        for (String port : System.getenv("PORTS").split(","))
            body.addPortCallsItem(new PortCallElementCreate()
                .port(new PortReferenceInput(port))
                .reasonForCall(PortCallElementCreate.ReasonForCallEnum.L));
        Voyage created = voyages.createVoyage(body, null, null, null, null);
        Voyage voyage = voyages.getVoyage(created.getKey(), null, null, null, null);

        WebhookSubscriptionApi subscriptions = new WebhookSubscriptionApi(client);
        WebhookSubscriptionCreated subscription = subscriptions.createWebhookSubscription(
            new WebhookSubscriptionCreate().eventTypes(List.of("Voyage.U")).url(System.getenv("RECEIVER_URL")),
            null, null, null, null);
        voyages.updateVoyage(voyage.getKey(), new VoyageChange().comments("Changed"), null, null, null, null);

        WebhookNotificationApi log = new WebhookNotificationApi(client);
        List<String> filter = List.of("subscription.key(EQ)" + subscription.getKey());
        List<WebhookNotificationMinimized> notifications = List.of();
        while (notifications.isEmpty()) {
            Thread.sleep(100);
            notifications = log.listWebhookNotifications(filter, null, null, null, null, null, null, null, null);
        }
        Vessel scrapped = vessels.createVessel(new VesselCreate().vesselName("Scrapped"), null, null, null, null);
        vessels.deleteVessel(scrapped.getKey(), null, null);
        ErrorBody error = null;
        try {
            subscriptions.deleteWebhookSubscription(subscription.getKey(), null, null);
        } catch (ApiException failure) {
            error = ErrorBody.fromJson(failure.getResponseBody());
        }
        System.out.println(JSON.getGson().toJson(Map.of(
            "voyage", voyage.getKey(),
            "vesselName", voyage.getVessel().getVesselName(),
            "portCalls", voyage.getPortCalls().size(),
            "status", voyage.getVoyageStatus(),
            "freight", voyage.getFreight(),
            "subscription", subscription.getKey(),
            "notifiedKeys", List.of(notifications.get(0).getObjectKey()),
            "secretLength", subscription.getSigningSecret().length(),
            "deleted", scrapped.getKey(),
            "error", error.getMessage())));
        System.exit(0);
    }
}
