"""The server of RPic: server.py DATABASE PORT

Django REST framework in one file: settings, models, serializers, views, routes. Anybody may look; who is signed in may add
pictures, and change and delete their own; staff may do so with all. Pictures stand in files beside the SQLite file. It prints
the address of its API, which browsers may open, too. The password of each of its first users is `pass-of-NAME`.
"""
import os
import socketserver
import sys
import uuid

import django
from django.apps import AppConfig
from django.conf import settings

DATABASE, PORT = os.path.abspath(sys.argv[1]), int(sys.argv[2])
LARGEST_BODY = 32 << 20
USERS = {"anna": False, "ben": False, "carla": True}


class RPicApp(AppConfig):
    label, path = "rpic", os.path.dirname(os.path.abspath(__file__))

    def import_models(self):
        # Models are looked for in a submodule; these are in this file.
        super().import_models()
        self.models_module = self.module


settings.configure(
    SECRET_KEY="for this machine alone",
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.staticfiles", "rest_framework",
                    RPicApp(__name__, sys.modules[__name__])],
    # Tables are made from the models as they are.
    MIGRATION_MODULES={label: None for label in ("contenttypes", "auth", "rpic")},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE,
                           "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"}}},
    # The default hasher is slow on purpose, and would slow each request that has Basic credentials.
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    USE_TZ=True,
    TIME_ZONE="UTC",
    ROOT_URLCONF=__name__,
    STATIC_URL="static/",
    MIDDLEWARE=[f"{__name__}.bounded", "django.middleware.common.CommonMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    LOGGING={"version": 1, "disable_existing_loggers": False, "loggers": {"django": {"level": "CRITICAL"}}},
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.BasicAuthentication"],
        "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    },
)
django.setup()

# What follows may only be imported once Django is set up.

from django.contrib.auth.models import User
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.validators import RegexValidator
from django.core.wsgi import get_wsgi_application
from django.db import models
from django.http import FileResponse, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import include, path
from django.utils import timezone
from rest_framework import generics, mixins, pagination, permissions, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.routers import DefaultRouter

# Models.


def degrees(default):
    return models.CharField(max_length=20, default=default, validators=[RegexValidator(r"^\d{1,3}(\.\d+)?$")])


def side(*letters):
    return models.CharField(max_length=1, default=letters[0], choices=[(each, each) for each in letters])


def file_name(picture, _=None):
    return f"{picture.user.username}_{picture.uuid}.jpg"


class Picture(models.Model):
    user = models.ForeignKey(User, related_name="pictures", on_delete=models.CASCADE)
    uuid = models.UUIDField(unique=True, default=uuid.uuid4)
    title = models.CharField(max_length=100, blank=True, default="")
    taken = models.DateTimeField(default=timezone.now)
    created = models.DateTimeField(auto_now_add=True)
    last_modified = models.DateTimeField(auto_now=True)
    # As cameras write them: degrees without a sign, and the side. Who says nothing is at IMPA, in Rio de Janeiro.
    latitude, latitude_ref = degrees("22.9618"), side("S", "N")
    longitude, longitude_ref = degrees("43.2375"), side("W", "E")
    picture_file = models.FileField(
        upload_to=file_name, storage=FileSystemStorage(f"{DATABASE}.files", "/files/", allow_overwrite=True), blank=True)


# Serializers.


class UserSerializer(serializers.ModelSerializer):
    pictures = serializers.HyperlinkedRelatedField(many=True, read_only=True, view_name="picture-detail")

    class Meta:
        model = User
        fields = ["id", "username", "password", "email", "pictures"]
        extra_kwargs = {"password": {"write_only": True}, "email": {"write_only": True}}

    def create(self, values):
        return User.objects.create_user(**values)


class PictureSerializer(serializers.ModelSerializer):
    user = serializers.SlugRelatedField(slug_field="username", read_only=True)
    # The address of a document that says where the file is.
    picture = serializers.SerializerMethodField()

    class Meta:
        model = Picture
        fields = ["id", "user", "uuid", "title", "taken", "created", "last_modified", "latitude", "latitude_ref", "longitude",
                  "longitude_ref", "picture"]

    def get_picture(self, picture):
        return reverse("picture-picture", [picture.pk], request=self.context["request"]) if picture.picture_file else None


class FileSerializer(serializers.HyperlinkedModelSerializer):
    user = serializers.SlugRelatedField(slug_field="username", read_only=True)
    picture_file = serializers.FileField(required=True)

    class Meta:
        model = Picture
        fields = ["url", "id", "user", "picture_file"]
        extra_kwargs = {"url": {"view_name": "picture-picture"}}

    def validate_picture_file(self, file):
        if file.name != file_name(self.instance):
            raise serializers.ValidationError(f"The name of the file must be {file_name(self.instance)}.")
        if file.content_type != "image/jpeg" or file.read(2) != b"\xff\xd8":
            raise serializers.ValidationError("The file must be a JPEG.")
        file.seek(0)
        return file


# Views.


class OwnersAndStaff(permissions.IsAuthenticatedOrReadOnly):
    def has_object_permission(self, request, view, picture):
        return request.method in permissions.SAFE_METHODS or request.user.is_staff or picture.user == request.user


class NewestFirst(pagination.CursorPagination):
    page_size = 100
    ordering = ("-taken", "-id")


class Pictures(viewsets.ModelViewSet):
    queryset = Picture.objects.select_related("user")
    serializer_class = PictureSerializer
    permission_classes = [OwnersAndStaff]
    pagination_class = NewestFirst

    def filter_queryset(self, pictures):
        wanted = self.request.query_params.get("uuid")
        try:
            return pictures.filter(uuid=uuid.UUID(wanted)) if wanted else pictures
        except ValueError:
            raise serializers.ValidationError({"uuid": ["Must be a UUID."]}) from None

    def perform_create(self, serializer):
        serializer.save(user=self.request.user)

    def perform_destroy(self, picture):
        picture.picture_file.delete(save=False)
        picture.delete()

    @action(detail=True, methods=["get", "put"], parser_classes=[MultiPartParser], serializer_class=FileSerializer)
    def picture(self, request, pk):
        picture = self.get_object()
        if request.method == "PUT":
            serializer = self.get_serializer(picture, data=request.data)
            serializer.is_valid(raise_exception=True)
            serializer.save()
        return Response(self.get_serializer(picture).data)


class Users(mixins.CreateModelMixin, viewsets.ReadOnlyModelViewSet):
    """Anybody may sign up, by a POST of username, password and email."""
    queryset = User.objects.prefetch_related("pictures").order_by("id")
    serializer_class = UserSerializer
    permission_classes = [permissions.AllowAny]


class Me(generics.RetrieveAPIView):
    serializer_class = UserSerializer
    permission_classes = [permissions.IsAuthenticated]

    def get_object(self):
        return self.request.user


def content(request, name):
    picture = get_object_or_404(Picture, picture_file=name)
    tag = f'"{picture.last_modified.timestamp()}"'
    if request.headers.get("If-None-Match") == tag:
        return HttpResponse(status=304)
    return FileResponse(picture.picture_file.open(), content_type="image/jpeg", headers={"ETag": tag})


router = DefaultRouter()
router.register("pictures", Pictures)
router.register("users", Users)
urlpatterns = [path("rpic/me/", Me.as_view()), path("rpic/", include(router.urls)), path("files/<str:name>", content)]


def bounded(respond):
    """Refuses what is too large before it is read."""
    def answer(request):
        if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST_BODY:
            return HttpResponse(status=413)
        return respond(request)
    return answer


class Server(ThreadedWSGIServer):
    daemon_threads = True

    def server_bind(self):
        # Without a look-up of the machine's name, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]
        self.setup_environ()


class Handler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    call_command("migrate", run_syncdb=True, verbosity=0)
    for name, is_staff in USERS.items():
        if not User.objects.filter(username=name).exists():
            User.objects.create_user(name, password=f"pass-of-{name}", is_staff=is_staff)
    server = Server(("127.0.0.1", PORT), Handler)
    server.set_app(StaticFilesHandler(get_wsgi_application()))
    print(f"http://127.0.0.1:{server.server_port}/rpic", flush=True)
    server.serve_forever()
