"""The recipe of the guide “Telling the server what changed”, in a Django of one file: live.py URL KEY GUIDE

The signals are read out of the guide itself. Saves, renames and deletes a task, and one in a transaction that is rolled
back; prints what it did.
"""
import re
import socket
import sys
import threading
import types

import django
from django.conf import settings
from django.db import connection, models, transaction

url, key, guide = sys.argv[1:4]
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    ATMOSPHERE={"url": url, "key": key, "entities": {"shop.Task": "tasks"}})
django.setup()


class Task(models.Model):
    title = models.CharField(max_length=100)

    class Meta:
        app_label = "shop"


class Other(models.Model):
    class Meta:
        app_label = "shop"


with open(guide, encoding="utf-8") as file:
    signals = types.ModuleType("signals")
    exec(re.search(r"```python\n(.*?)```", file.read(), re.DOTALL).group(1), signals.__dict__)
with connection.schema_editor() as editor:
    editor.create_model(Task)
    editor.create_model(Other)
task = Task.objects.create(title="one")
Other.objects.create()
try:
    with transaction.atomic():
        Task.objects.create(title="never")
        raise RuntimeError
except RuntimeError:
    pass
task.title = "two"
task.save()
number = task.pk
task.delete()
settings.ATMOSPHERE["url"] = "http://127.0.0.1:1"
Task.objects.create(title="nobody listens")


def odd_server(answer):
    """Answers each connection once with that; with nothing at all for None, for as long as the client waits."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        connection, _ = listener.accept()
        connection.recv(65536)
        if answer is not None:
            connection.sendall(answer)
            connection.close()
        else:
            connection.recv(1)
    threading.Thread(target=serve, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


for answer in (b"no HTTP at all\r\n\r\n", b"", b"HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n", None):
    settings.ATMOSPHERE["url"] = odd_server(answer)
    Task.objects.create(title="saved all the same")
assert Task.objects.count() == 5
print(number)
