"""A small API behind an authorization server made with Authlib and Flask: PKCE, rotation, devices, client credentials.

Says `ready http://127.0.0.1:PORT/` when it serves, and ends when its standard input closes. Everything is in memory.
GET /control/log gives the requests at the endpoints, with the grant and the outcome; POST /control/expire ends all access
tokens.
"""

import json
import os
import secrets
import sys
import threading
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import (
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from authlib.oauth2.rfc9207.parameter import IssuerParameter
from flask import Flask, jsonify, request
from werkzeug.serving import make_server

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # on this machine alone

app = Flask(__name__)
log = []
notes = {1: {"id": 1, "title": "First"}, 2: {"id": 2, "title": "Second"}}
codes, tokens, spent, devices, approved = {}, [], {}, {}, set()


class Client(ClientMixin):
    """One confidential client and one public one."""

    def __init__(self, client_id, secret, method):
        self.client_id, self.secret, self.method = client_id, secret, method

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri.startswith("http://127.0.0.1:")

    def check_client_secret(self, secret):
        return secrets.compare_digest(self.secret, secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


clients = {
    "confidential": Client("confidential", "s3cret & more", "client_secret_basic"),
    "posting": Client("posting", "s3cret & more", "client_secret_post"),
    "public": Client("public", "", "none"),
}


class User:
    def get_user_id(self):
        return "ada"


class Token(TokenMixin):
    def __init__(self, values, client_id, family):
        self.values, self.client_id, self.family = values, client_id, family
        self.end = time.time() + values.get("expires_in", 3600)
        self.revoked = False

    def check_client(self, client):
        return self.client_id == client.get_client_id()

    def get_scope(self):
        return self.values.get("scope", "")

    def get_expires_in(self):
        return self.values.get("expires_in", 3600)

    def is_expired(self):
        return time.time() > self.end

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return User()

    def get_client(self):
        return clients[self.client_id]


def save_token(values, req):
    old = getattr(req, "refresh_token_record", None)
    family = old.family if old else secrets.token_hex(4)
    tokens.append(Token(dict(values), req.client.client_id, family))


app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)


class Code:
    def __init__(self, req):
        self.code_challenge = req.payload.data.get("code_challenge")
        self.code_challenge_method = req.payload.data.get("code_challenge_method")
        self.redirect_uri, self.scope, self.client_id = req.payload.redirect_uri, req.payload.scope, req.client.client_id
        self.end = time.time() + 60

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def is_expired(self):
        return time.time() > self.end


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def save_authorization_code(self, code, req):
        codes[code] = Code(req)

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id and not found.is_expired() else None

    def delete_authorization_code(self, authorization_code):
        for code in [code for code, value in codes.items() if value is authorization_code]:
            del codes[code]

    def authenticate_user(self, authorization_code):
        return User()


class RefreshGrant(grants.RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def authenticate_refresh_token(self, refresh_token):
        for token in tokens:
            if token.values.get("refresh_token") != refresh_token:
                continue
            if token.revoked:  # used before: everything of this sign-in ends (RFC 9700 section 4.14.2)
                for other in tokens:
                    other.revoked = other.revoked or other.family == token.family
                return None
            self.request.refresh_token_record = token
            return token
        return None

    def authenticate_user(self, refresh_token):
        return User()

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]
    INTERVAL = 1

    def get_verification_uri(self):
        return request.url_root + "verify"

    def save_device_credential(self, client_id, scope, data):
        devices[data["device_code"]] = dict(
            data, client_id=client_id, scope=scope, expires_at=time.time() + data["expires_in"])


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def query_device_credential(self, device_code):
        found = devices.get(device_code)
        return DeviceCredentialDict(found) if found else None

    def query_user_grant(self, user_code):
        return (User(), True) if user_code in approved else None

    def should_slow_down(self, credential):
        return False


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def query_token(self, text, hint):
        return next((t for t in tokens if text in (t.values.get("refresh_token"), t.values["access_token"])), None)

    def revoke_token(self, token, req):
        for other in tokens:
            other.revoked = other.revoked or other.family == token.family


class Validator(BearerTokenValidator):
    def authenticate_token(self, text):
        return next((t for t in tokens if t.values["access_token"] == text), None)


class Issuer(IssuerParameter):
    def get_issuer(self):
        return request.url_root.rstrip("/")


server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(ClientGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
server.register_extension(Issuer())
protect = ResourceProtector()
protect.register_token_validator(Validator())


@app.get("/authorize")
def authorize():
    grant = server.get_consent_grant(end_user=User())
    return server.create_authorization_response(grant_user=User(), grant=grant)


@app.post("/token")
def token():
    response = server.create_token_response()
    log.append({"grant": request.form.get("grant_type"), "status": response.status_code})
    return response


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.get("/verify")
def verify():
    approved.add(request.args["user_code"])
    return "approved"


@app.get("/api/me")
@protect()
def me():
    return jsonify({"id": "ada" if current_token.values.get("refresh_token") else current_token.client_id})


@app.get("/api/notes")
@protect()
def list_notes():
    return jsonify(list(notes.values()))


@app.route("/api/notes/<int:key>", methods=["GET", "PUT"])
@protect()
def one_note(key):
    if request.method == "PUT":
        notes[key] = dict(request.get_json(), id=key)
    return jsonify(notes[key])


@app.get("/control/log")
def control_log():
    return jsonify(log)


@app.post("/control/expire")
def control_expire():
    for each in tokens:
        each.end = 0
    return "", 204


def main():
    http = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"ready http://127.0.0.1:{http.server_port}/", flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    http.serve_forever()


if __name__ == "__main__":
    main()
