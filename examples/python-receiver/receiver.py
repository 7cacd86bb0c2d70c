"""Keeps a copy of the bunker orders that it is notified of in an SQLite database. ../README.md says how to run it."""

import json
import os
import sqlite3
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

FILE = sys.argv[1] if len(sys.argv) > 1 else "bunker-orders.sqlite"
PORT = int(sys.argv[2]) if len(sys.argv) > 2 else 9000

webhook = Webhook(os.environ["SIGNING_SECRET"])
database = sqlite3.connect(FILE)
database.execute("""
    CREATE TABLE IF NOT EXISTS bunker_order (
      key INTEGER PRIMARY KEY,
      sequence INTEGER NOT NULL,
      is_deleted INTEGER NOT NULL,
      status TEXT NOT NULL,
      resource TEXT NOT NULL -- the whole order with its lines, as JSON
    )""")


def save(message):
    """Stores what is newer than the copy. Duplicates, and what is older, change nothing."""
    order, sequence = message["resource"], message["sequence"]
    # A deletion of the order itself, not of one of its lines. Its row stays, so that nothing older brings it back.
    is_deleted = message["eventType"] == "D" and message["serviceObject"] == order["key"]
    with database:  # one transaction
        changed = database.execute(
            """
            INSERT INTO bunker_order (key, sequence, is_deleted, status, resource) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET sequence = excluded.sequence, is_deleted = excluded.is_deleted,
              status = excluded.status, resource = excluded.resource
            WHERE excluded.sequence > bunker_order.sequence""",
            (order["key"], sequence, is_deleted, order["bunkerOrderStatus"], json.dumps(order, ensure_ascii=False)),
        ).rowcount
    print(f"{order['key']} {order['bunkerOrderStatus']} ({sequence}){'' if changed else ' is not newer'}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds without a byte

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            # The bytes as they came. For a body that is not JSON, from a stylesheet, there is json_parse=False.
            message = webhook.verify(body, dict(self.headers))
        except WebhookVerificationError as error:
            return self.answer(401, str(error))
        if not message.get("isTest"):  # A ping has no resource.
            save(message)
        self.answer(204)

    def answer(self, status, text=""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        """Requests are not logged. `save` prints what has changed."""


print(f"Receiving at http://127.0.0.1:{PORT}/", flush=True)
HTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
