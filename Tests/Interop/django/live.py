"""The recipe of the guide “Telling the server what changed”, in a Django of one file: live.py URL KEY GUIDE

The signals are read out of the guide itself. Saves, renames and deletes a task, and one in a transaction that is rolled
back; prints what it did.
"""
import re
import sys
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
print(number)
