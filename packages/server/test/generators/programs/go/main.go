// Creates a voyage, reads it, subscribes, changes it, lists the notifications, deletes an object, and reads why another
// one cannot be deleted, with the client of the generator `go`.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	client "example.org/flaghoist/client"
)

func main() {
	ctx := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("FLAGHOIST_TOKEN"))
	api := client.NewAPIClient(client.NewConfiguration())

	vessel, _, err := api.VesselAPI.CreateVessel(ctx).VesselCreate(*client.NewVesselCreate("Go")).Execute()
	check(err)
	body := client.NewVoyageCreate()
	body.SetVessel(client.VesselReferenceInput{Int64: client.PtrInt64(vessel.GetKey())})
	body.SetVoyageStatus("NOM")
	body.SetFreight(1234567.89)
	for _, port := range strings.Split(os.Getenv("PORTS"), ",") {
		reference := client.PortReferenceInput{String: client.PtrString(port)}
		body.PortCalls = append(body.PortCalls, *client.NewPortCallElementCreate("L", reference))
	}
	created, _, err := api.VoyageAPI.CreateVoyage(ctx).VoyageCreate(*body).Execute()
	check(err)
	voyage, _, err := api.VoyageAPI.GetVoyage(ctx, created.GetKey()).Execute()
	check(err)

	wanted := client.NewWebhookSubscriptionCreate()
	wanted.SetEventTypes([]string{"Voyage.U"})
	wanted.SetUrl(os.Getenv("RECEIVER_URL"))
	subscribe := api.WebhookSubscriptionAPI.CreateWebhookSubscription(ctx)
	subscription, _, err := subscribe.WebhookSubscriptionCreate(*wanted).Execute()
	check(err)
	change := client.NewVoyageChange()
	change.SetComments("Changed")
	_, _, err = api.VoyageAPI.UpdateVoyage(ctx, voyage.GetKey()).VoyageChange(*change).Execute()
	check(err)

	filter := []string{fmt.Sprintf("subscription.key(EQ)%d", subscription.GetKey())}
	var keys []int64
	for len(keys) == 0 {
		time.Sleep(100 * time.Millisecond)
		notifications, _, err := api.WebhookNotificationAPI.ListWebhookNotifications(ctx).Filter(filter).Execute()
		check(err)
		for _, notification := range notifications {
			keys = append(keys, notification.GetObjectKey())
		}
	}
	scrapped, _, err := api.VesselAPI.CreateVessel(ctx).VesselCreate(*client.NewVesselCreate("Scrapped")).Execute()
	check(err)
	_, err = api.VesselAPI.DeleteVessel(ctx, scrapped.GetKey()).Execute()
	check(err)
	_, err = api.WebhookSubscriptionAPI.DeleteWebhookSubscription(ctx, subscription.GetKey()).Execute()
	var failure *client.GenericOpenAPIError
	if !errors.As(err, &failure) {
		log.Fatal("An active subscription was deleted.")
	}
	conflict := failure.Model().(client.ErrorBody)

	reference := voyage.GetVessel()
	output, err := json.Marshal(map[string]any{
		"voyage":       voyage.GetKey(),
		"vesselName":   reference.GetVesselName(),
		"portCalls":    len(voyage.GetPortCalls()),
		"status":       voyage.GetVoyageStatus(),
		"freight":      voyage.GetFreight(),
		"subscription": subscription.GetKey(),
		"notifiedKeys": keys,
		"secretLength": len(subscription.GetSigningSecret()),
		"deleted":      scrapped.GetKey(),
		"error":        conflict.GetMessage(),
	})
	check(err)
	fmt.Println(string(output))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
