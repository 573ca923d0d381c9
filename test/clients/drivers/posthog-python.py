# Does with one version of posthog for Python what the suite asks, and prints what the client saw.
import json
import logging
import sys
import warnings

from posthog import Posthog
from posthog.version import VERSION

warnings.simplefilter("ignore", DeprecationWarning)
task = json.loads(sys.argv[1])
names = task["names"]
user = names["user"]
groups = {task["groupType"]: names["group"]}
FLAGS = {
    "boolean": "suite-boolean",
    "off": "suite-off",
    "variant": "suite-variant",
    "plan": "suite-by-plan",
    "tier": "suite-by-tier",
}

errors = []


class Complaints(logging.Handler):
    def emit(self, record):
        errors.append(record.getMessage())


logging.getLogger("posthog").addHandler(Complaints(level=logging.WARNING))


def connect(**options):
    on_error = lambda error, batch: errors.append(str(error))
    return Posthog(task["projectKey"], host=task["url"], on_error=on_error, **options)


def send():
    client = connect()
    client.capture(names["captured"], distinct_id=user, properties=task["properties"])
    client.flush()
    client.set(distinct_id=user, properties={"plan": task["plan"], "email": names["email"]})
    client.flush()
    client.alias(user, names["alias"])
    client.flush()
    client.capture(names["aliased"], distinct_id=names["alias"])
    client.group_identify(task["groupType"], names["group"], {"tier": task["tier"]})
    client.capture(names["grouped"], distinct_id=user, groups=groups)
    client.shutdown()


def send_packed():
    client = connect(gzip=True)
    for index in range(task["batchSize"]):
        client.capture(names["batched"], distinct_id=user, properties={"index": index})
    client.shutdown()


def read_flags():
    client = connect()
    flags = {
        name: client.get_feature_flag(key, user, groups=groups) for name, key in FLAGS.items()
    }
    payload = client.get_feature_flag_payload("suite-variant", user)
    snapshot = client.evaluate_flags(user, groups=groups)
    snapshot_flags = {name: snapshot.get_flag(key) for name, key in FLAGS.items()}
    snapshot_payload = snapshot.get_flag_payload("suite-variant")
    client.shutdown()
    return {
        "flags": flags,
        "payload": payload,
        "snapshotFlags": snapshot_flags,
        "snapshotPayload": snapshot_payload,
    }


# With every way of asking the server shut off.
def evaluate_locally():
    client = connect(personal_api_key=task["personalKey"], poll_interval=60)
    client.load_feature_flags()
    options = {
        "only_evaluate_locally": True,
        "send_feature_flag_events": False,
        "person_properties": {"plan": task["plan"]},
        "groups": groups,
        "group_properties": {task["groupType"]: {"tier": task["tier"]}},
    }
    local = {name: client.get_feature_flag(key, user, **options) for name, key in FLAGS.items()}
    remote_config = client.get_remote_config_payload("suite-boolean")
    client.shutdown()
    return {"local": local, "remoteConfig": remote_config}


send()
send_packed()
seen = {**read_flags(), **evaluate_locally()}
python = sys.version.split()[0]
print(json.dumps({**seen, "version": VERSION, "python": python, "errors": errors}))
