"""A program that pulls the notifications of a subscription until it is killed. It appends the id of each notification
to its ledger, and then acknowledges it."""

import json
import os
import random
import sys
import time

import requests

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
dice = random.Random(plan["seed"])
ledger = os.open(plan["ledger"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
session = requests.Session()
session.headers["authorization"] = plan["authorization"]


def post(action, body):
    origin = dice.choice(plan["origins"])
    url = f"{origin}/ws/rest/WebhookSubscription/{plan['subscription']}/{action}"
    answer = session.post(url, json=body, timeout=15)
    answer.raise_for_status()
    return answer.json()


while True:
    try:
        pulled = post("pull", {"limit": 100, "waitSeconds": 5})
        if not pulled:
            continue
        os.write(ledger, "".join(each["headers"]["webhook-id"] + "\n" for each in pulled).encode())
        keys = [each["notification"] for each in pulled]
        if dice.random() < 0.02:
            continue
        # Of a notification that was sent before, upTo covers that one alone.
        is_first = pulled[-1]["headers"]["flaghoist-attempt"] == "1"
        post("acknowledge", {"upTo": keys[-1]} if is_first and dice.random() < 0.5 else {"notifications": keys})
    except requests.RequestException:
        time.sleep(0.05)
