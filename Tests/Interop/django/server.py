"""A small Django REST framework server that the interop tests start, edit behind the client's back, and stop.

One file instead of a project tree: settings, models, serializers, views, routes and server, in that order.
Run `server.py --help` for the options; README.md tells what it is for.
"""

import argparse
import contextlib
import copy
import datetime
import json
import os
import signal
import socketserver
import sys
import threading
import urllib.request
import uuid
from decimal import Decimal

import django
from django.apps import AppConfig
from django.conf import settings

# Arguments. They come first because Django's settings depend on them.

parser = argparse.ArgumentParser(description="Pictures and albums behind Django REST framework, on 127.0.0.1.")
parser.add_argument("--database", required=True, metavar="FILE", help="SQLite file; made when missing")
parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
parser.add_argument("--seed", type=int, metavar="N", help="replace all rows by N pictures; without it rows are kept")
parser.add_argument("--paging", choices=["page-number", "limit-offset", "cursor", "none"], default="page-number")
parser.add_argument("--page-size", type=int, default=100, metavar="N")
parser.add_argument("--throttle", metavar="RATE", help="requests per user under /api/, such as 5/min")
parser.add_argument("--token", default="0123456789abcdef0123456789abcdef01234567", help="the token of the user admin")
parser.add_argument("--log", metavar="FILE", help="append one JSON line per request")
parser.add_argument("--notify", metavar="URL", help="tell a notification server of each saved and deleted row")
parser.add_argument("--notify-key", metavar="KEY", help="the publisher's key for it")
parser.add_argument("--notify-to", metavar="USER", action="append", default=[], help="who is told; may be repeated")
parser.add_argument("--exit-on-eof", action="store_true", help="end when standard input closes")
arguments = parser.parse_args()


def watch_standard_input():
    # os.read, not sys.stdin: a thread inside a buffered read makes the interpreter abort when it exits.
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


for number in (signal.SIGTERM, signal.SIGINT):
    signal.signal(number, lambda *_: sys.exit(0))
if arguments.exit_on_eof:
    threading.Thread(target=watch_standard_input, daemon=True).start()

# Settings.


class PicturesApp(AppConfig):
    label = "pictures"
    path = os.path.dirname(os.path.abspath(__file__))

    def import_models(self):
        # Models are looked for in a submodule `models`; these are in this file, and their tables are wanted.
        super().import_models()
        self.models_module = self.module


# A transaction that began by reading fails when it turns to writing while another writes: all begin as writers.
# CONN_MAX_AGE None: a client connection's thread keeps its database connection; the server closes it with the thread.
database = {"ENGINE": "django.db.backends.sqlite3", "NAME": arguments.database, "CONN_MAX_AGE": None}
database["OPTIONS"] = {"timeout": 20, "transaction_mode": "IMMEDIATE"}
database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"


def drf(*names):
    return ["rest_framework." + name for name in names]


settings.configure(
    SECRET_KEY="for interop tests only",
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    # With DEBUG, a PUT or POST without its trailing slash would raise instead of being redirected.
    DEBUG=False,
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework", "rest_framework.authtoken"]
    + ["drf_spectacular"]
    + [PicturesApp(__name__, sys.modules[__name__])],
    # Tables are made straight from the models, which is quicker than the apps' migrations.
    MIGRATION_MODULES={label: None for label in ("contenttypes", "auth", "authtoken", "pictures")},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": database},
    # The default hasher is slow on purpose, and would slow every request that has Basic credentials.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    USE_TZ=True,
    TIME_ZONE="UTC",
    ROOT_URLCONF=__name__,
    # CommonMiddleware redirects to the trailing slash, and sets the Content-Length that keep-alive needs.
    MIDDLEWARE=[f"{__name__}.RequestLog", "django.middleware.common.CommonMiddleware"],
    DATA_UPLOAD_MAX_MEMORY_SIZE=None,
    LOGGING={"version": 1, "disable_existing_loggers": False, "loggers": {"django": {"level": "ERROR"}}},
    REST_FRAMEWORK={
        # The first names the scheme in the 401's WWW-Authenticate.
        "DEFAULT_AUTHENTICATION_CLASSES": drf("authentication.TokenAuthentication")
        + drf("authentication.BasicAuthentication"),
        # The user reader has no model permissions, so it may only read; admin is a superuser.
        "DEFAULT_PERMISSION_CLASSES": drf("permissions.IsAuthenticated", "permissions.DjangoModelPermissions"),
        "DEFAULT_RENDERER_CLASSES": drf("renderers.JSONRenderer") + ["rest_framework_xml.renderers.XMLRenderer"],
        "DEFAULT_PARSER_CLASSES": drf("parsers.JSONParser", "parsers.FormParser", "parsers.MultiPartParser")
        + ["rest_framework_xml.parsers.XMLParser"],
        "DEFAULT_THROTTLE_CLASSES": drf("throttling.UserRateThrottle") if arguments.throttle else [],
        "DEFAULT_THROTTLE_RATES": {"user": arguments.throttle},
        "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    },
    # The API's description, which anybody may read.
    SPECTACULAR_SETTINGS={
        "TITLE": "Pictures",
        "SERVE_AUTHENTICATION": [],
        "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    },
)
django.setup()

# What follows may only be imported once Django is set up.

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.color import no_style
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.validators import MaxValueValidator, MinValueValidator
from django.core.wsgi import get_wsgi_application
from django.db import connection, models, transaction
from django.db.models import signals
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from drf_spectacular.views import SpectacularAPIView
from rest_framework import mixins, pagination, serializers, viewsets
from rest_framework.authtoken.models import Token
from rest_framework.authtoken.views import obtain_auth_token
from rest_framework.decorators import api_view
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter
from rest_framework_json_api import pagination as json_api_pagination
from rest_framework_json_api import serializers as json_api_serializers
from rest_framework_json_api.exceptions import exception_handler as json_api_exception_handler
from rest_framework_json_api.parsers import JSONParser as JSONAPIParser
from rest_framework_json_api.renderers import JSONRenderer as JSONAPIRenderer

# Models.


class Record(models.Model):
    uuid = models.UUIDField(unique=True, default=uuid.uuid4)
    title = models.CharField(max_length=100)
    # Plain defaults instead of auto_now: auto_now would overwrite the seed's times in bulk_create.
    created = models.DateTimeField(default=timezone.now, editable=False)
    last_modified = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        abstract = True
        ordering = ["id"]

    def save(self, *positional, **named):
        self.last_modified = timezone.now()
        super().save(*positional, **named)


class Album(Record):
    notes = models.TextField(blank=True, default="")


def coordinate(limit):
    validators = [MinValueValidator(-limit), MaxValueValidator(limit)]
    return models.DecimalField(max_digits=9, decimal_places=6, null=True, blank=True, validators=validators)


class Picture(Record):
    album = models.ForeignKey(Album, on_delete=models.CASCADE)
    description = models.TextField(blank=True, default="")
    taken_on = models.DateField(null=True, blank=True)
    latitude = coordinate(90)
    longitude = coordinate(180)
    rating = models.FloatField(null=True, blank=True)
    public = models.BooleanField(default=True)
    tags = models.JSONField(default=list, blank=True)


class DeletedPicture(models.Model):
    picture = models.BigIntegerField()
    deleted_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["deleted_at", "id"]


def remember_deleted(sender, instance, **_):
    DeletedPicture.objects.create(picture=instance.pk)


signals.post_delete.connect(remember_deleted, sender=Picture)


def seed(count):
    """Replaces all rows by `count` pictures, 25 to an album, that are the same at every call."""

    def instant(row):
        # Every fifth has no fraction of a second, because the answers then leave it out.
        start = datetime.datetime(2024, 1, 1, 8, 0, 0, 123456 if row % 5 else 0, datetime.timezone.utc)
        return start + datetime.timedelta(minutes=row - 1)

    def degrees(hundredths, limit):
        return Decimal((hundredths + 100 * limit) % (200 * limit) - 100 * limit) / 100

    def album(i):
        notes = f"Notes on album {i}" if i % 3 else ""
        identifier = uuid.UUID(f"a0000000-0000-4000-8000-{i:012}")
        return Album(i, identifier, f"Album {i}", created=instant(i), last_modified=instant(i), notes=notes)

    def picture(i):
        return Picture(
            id=i,
            uuid=uuid.UUID(f"00000000-0000-4000-8000-{i:012}"),
            album_id=(i + 24) // 25,
            title=f"Picture {i}",
            description=f"Description of picture {i}" if i % 4 else "",
            created=instant(i),
            # Shared in pairs, so that the end of a page can split a tie.
            last_modified=instant((i + 1) // 2 * 2),
            taken_on=datetime.date(2024, 1, 1) + datetime.timedelta(days=i % 365) if i % 7 else None,
            latitude=degrees(25 * i - 2000, 90) if i % 11 else None,
            longitude=degrees(50 * i, 180) if i % 11 else None,
            rating=i % 10 / 2 if i % 10 else None,
            public=i % 6 != 0,
            tags=[f"t{i % 5}", "x"] if i % 8 else [],
        )

    with transaction.atomic():
        tables = [model._meta.db_table for model in (Album, Picture, DeletedPicture)]
        connection.ops.execute_sql_flush(connection.ops.sql_flush(no_style(), tables, reset_sequences=True))
        Album.objects.bulk_create(album(i) for i in range(1, (count + 24) // 25 + 1))
        Picture.objects.bulk_create(picture(i) for i in range(1, count + 1))


# Serializers.


class RecordSerializer(serializers.ModelSerializer):
    def validate_title(self, title):
        if "forbidden" in title.lower():
            raise serializers.ValidationError("The word forbidden may not be used.")
        return title


class AlbumSerializer(RecordSerializer):
    class Meta:
        model = Album
        fields = ["id", "uuid", "title", "notes", "created", "last_modified"]


class PictureSerializer(RecordSerializer):
    tags = serializers.ListField(child=serializers.CharField(max_length=50), required=False)

    class Meta:
        model = Picture
        fields = ["id", "uuid", "album", "title", "description", "created", "last_modified", "taken_on"]
        fields += ["latitude", "longitude", "rating", "public", "tags"]

    def validate(self, values):
        public = values.get("public", getattr(self.instance, "public", True))
        tags = values.get("tags", getattr(self.instance, "tags", []))
        if not public and "public" in tags:
            raise serializers.ValidationError("A picture that is not public may not have the tag public.")
        return values


class DeletedPictureSerializer(serializers.ModelSerializer):
    class Meta:
        model = DeletedPicture
        fields = ["picture", "deleted_at"]


# Live updates: what a server has to add, and all of it.


def tell(instance, deleted):
    update = {
        "to": arguments.notify_to,
        "uri": {"entity": instance._meta.model_name + "s", "id": str(instance.pk)},
    }
    if deleted:
        update["deleted"] = True
    else:
        kind = AlbumSerializer if isinstance(instance, Album) else PictureSerializer
        update["attributes"] = kind(instance).data
    request = urllib.request.Request(
        arguments.notify + "/update",
        JSONRenderer().render(update),
        {"Content-Type": "application/json", "Authorization": f"Bearer {arguments.notify_key}"},
    )
    # Nobody waits long for a server that is away: its clients ask for what they missed when it is back.
    with contextlib.suppress(OSError):
        urllib.request.urlopen(request, timeout=2).close()


def on_saved(sender, instance, **_):
    transaction.on_commit(lambda: tell(instance, deleted=False))


def on_deleted(sender, instance, **_):
    gone = copy.copy(instance)  # Its key is taken away after this.
    transaction.on_commit(lambda: tell(gone, deleted=True))


if arguments.notify:
    for model in (Album, Picture):
        signals.post_save.connect(on_saved, sender=model)
        signals.post_delete.connect(on_deleted, sender=model)


# Views and routes of the API.


class InstantField(serializers.Field):
    def to_internal_value(self, text):
        with contextlib.suppress(ValueError):
            instant = parse_datetime(text)
            if instant and instant.tzinfo:
                return instant
        raise serializers.ValidationError("Enter an ISO 8601 instant with a time zone.")


class RecordViewSet(viewsets.ModelViewSet):
    # Query parameter: how to read it, and the lookup that it becomes.
    filters = {"modified_since": (InstantField(), "last_modified__gt"), "uuid": (serializers.UUIDField(), "uuid")}

    def filter_queryset(self, queryset):
        if self.action != "list":
            return queryset
        for name, (field, lookup) in self.filters.items():
            if name in self.request.query_params:
                try:
                    value = field.run_validation(self.request.query_params[name])
                except serializers.ValidationError as error:
                    raise serializers.ValidationError({name: error.detail})
                queryset = queryset.filter(**{lookup: value})
        return queryset


class AlbumViewSet(RecordViewSet):
    queryset = Album.objects.all()
    serializer_class = AlbumSerializer


class PictureViewSet(RecordViewSet):
    queryset = Picture.objects.all()
    serializer_class = PictureSerializer
    filters = RecordViewSet.filters | {"album": (serializers.IntegerField(), "album")}


class DeletedPictureViewSet(mixins.ListModelMixin, viewsets.GenericViewSet):
    queryset = DeletedPicture.objects.all()
    serializer_class = DeletedPictureSerializer
    filters = {"since": (InstantField(), "deleted_at__gt")}
    filter_queryset = RecordViewSet.filter_queryset
    # The description is of what is there.
    schema = None


class NumberPages(pagination.PageNumberPagination):
    page_size = arguments.page_size
    page_size_query_param = "page_size"
    max_page_size = 1000


class OffsetPages(pagination.LimitOffsetPagination):
    default_limit = arguments.page_size
    max_limit = 1000


class CursorPages(pagination.CursorPagination):
    ordering = "id"
    page_size = arguments.page_size
    page_size_query_param = "page_size"
    max_page_size = 1000


PAGES = {"page-number": NumberPages, "limit-offset": OffsetPages, "cursor": CursorPages, "none": None}


def routes(name, pages):
    router = DefaultRouter()
    deleted = ("deleted-pictures", DeletedPictureViewSet)
    for resource, viewset in (("albums", AlbumViewSet), ("pictures", PictureViewSet), deleted):
        router.register(resource, type(viewset.__name__, (viewset,), {"pagination_class": pages}))
    return include((router.urls, name))


# The same rows as JSON:API documents, with the framework's own names of types: Album, Picture.


class AlbumDocument(json_api_serializers.ModelSerializer):
    validate_title = RecordSerializer.validate_title

    class Meta:
        model = Album
        fields = ["uuid", "title", "notes", "created", "last_modified"]


class PictureDocument(json_api_serializers.ModelSerializer):
    tags = serializers.ListField(child=serializers.CharField(max_length=50), required=False)
    validate_title = RecordSerializer.validate_title
    validate = PictureSerializer.validate

    class Meta:
        model = Picture
        fields = [name for name in PictureSerializer.Meta.fields if name != "id"]


class DocumentPages(json_api_pagination.JsonApiPageNumberPagination):
    page_size = arguments.page_size
    max_page_size = 1000


class DocumentViewSet(RecordViewSet):
    parser_classes = [JSONAPIParser]
    renderer_classes = [JSONAPIRenderer]
    pagination_class = DocumentPages

    def get_exception_handler(self):
        return json_api_exception_handler


class AlbumDocuments(DocumentViewSet):
    queryset = Album.objects.all()
    serializer_class = AlbumDocument
    # The description is of the other API.
    schema = None


class PictureDocuments(DocumentViewSet):
    queryset = Picture.objects.all()
    serializer_class = PictureDocument
    schema = None


documents = DefaultRouter(trailing_slash=False)
documents.register("albums", AlbumDocuments)
documents.register("pictures", PictureDocuments)


# Views of the control: the test's own hand in the database, without credentials, limits or XML.


def control(method):
    def decorate(view):
        view.authentication_classes = view.permission_classes = view.throttle_classes = []
        view.parser_classes, view.renderer_classes = [JSONParser], [JSONRenderer]
        return api_view([method])(view)

    return decorate


def serializer_named(name):
    if name not in ("album", "picture"):
        raise serializers.ValidationError({"model": ["Must be album or picture."]})
    return AlbumSerializer if name == "album" else PictureSerializer


def row_named_by(data):
    return get_object_or_404(serializer_named(data.get("model")).Meta.model, id=data.get("id"))


@control("POST")
def touch(request):
    row = row_named_by(request.data)
    changed = serializer_named(request.data["model"])(row, data=request.data.get("fields", {}), partial=True)
    changed.is_valid(raise_exception=True)
    changed.save()
    return Response(changed.data)


@control("POST")
def delete(request):
    row_named_by(request.data).delete()
    return Response(status=204)


@control("GET")
def dump(request):
    kind = serializer_named(request.query_params.get("model"))
    return Response(kind(kind.Meta.model.objects.all(), many=True).data)


def row_counts():
    return Response({"album": Album.objects.count(), "picture": Picture.objects.count()})


@control("GET")
def counts(request):
    return row_counts()


@control("POST")
def reset(request):
    seed(int(request.data["seed"]))
    return row_counts()


urlpatterns = [
    path("api/token/", obtain_auth_token),
    path("api/number/", routes("number", NumberPages)),
    path("api/offset/", routes("offset", OffsetPages)),
    path("api/cursor/", routes("cursor", CursorPages)),
    path("api/plain/", routes("plain", None)),
    path("api/", routes("default", PAGES[arguments.paging])),
    path("jsonapi/", include((documents.urls, "jsonapi"))),
    path("schema/", SpectacularAPIView.as_view()),
    path("control/touch", touch),
    path("control/delete", delete),
    path("control/dump", dump),
    path("control/counts", counts),
    path("control/reset", reset),
]

# Server.


class RequestLog:
    """Middleware that writes the log line before the answer leaves: who has the answer finds the line."""

    def __init__(self, answer):
        self.answer = answer
        self.file = open(arguments.log, "a", encoding="utf-8") if arguments.log else None
        self.lock = threading.Lock()

    def __call__(self, request):
        body = request.body.decode("utf-8", "replace")[:4096]
        # The server underneath cannot read chunks; it would take the body for empty and its bytes for the next
        # request. The answer has no Content-Length, which closes the connection.
        chunked = "Transfer-Encoding" in request.headers
        response = HttpResponse(status=411) if chunked else self.answer(request)
        if self.file:
            line = {"method": request.method, "path": request.path, "query": request.META["QUERY_STRING"]}
            user = getattr(request, "user", None)  # Set by the view; None when a redirect or 404 came first.
            line |= {"status": response.status_code, "body": body, "user": getattr(user, "username", "") or None}
            with self.lock:
                self.file.write(json.dumps(line) + "\n")
                self.file.flush()
        return response


class Handler(WSGIRequestHandler):
    # Headers and body are written apart; with Nagle's algorithm the body waits 40 ms for the client's ACK.
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass


class Server(ThreadedWSGIServer):
    daemon_threads = True
    request_queue_size = 128

    def server_bind(self):
        # As the parents do, without their look-up of the machine's name, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]
        self.setup_environ()


def make_users():
    for name, superuser in (("admin", True), ("reader", False)):
        values = {"password": make_password(f"{name}-password"), "is_superuser": superuser}
        user, _ = User.objects.update_or_create(username=name, defaults=values)
        if superuser:
            Token.objects.filter(user=user).delete()
            Token.objects.create(user=user, key=arguments.token)


call_command("migrate", run_syncdb=True, verbosity=0)
make_users()
if arguments.seed is not None:
    seed(arguments.seed)
server = Server(("127.0.0.1", arguments.port), Handler)
server.set_app(get_wsgi_application())
print(f"ready http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
