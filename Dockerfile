# The command in an image without Swift:
#
#   docker build --tag atmos .
#   docker run --rm atmos demo
#   docker run --rm --user "$(id -u)" --volume "$PWD:/var/lib/atmos" --env API_TOKEN --env ATMOS_TRUST=/var/lib/atmos/ \
#       atmos sync --watch
#
# Untested: no check builds this image. The same commands are tried in a bare Debian (`make package-test`).
FROM swift:6.2-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends make dpkg-dev
WORKDIR /atmosphere
COPY . .
ARG SOURCE_DATE_EPOCH=
RUN make deb

# The package names the libraries that it needs, so this stage need not.
FROM debian:bookworm-slim
RUN --mount=type=bind,from=build,source=/atmosphere/.build/packages,target=/packages \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates /packages/*.deb \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /var/lib/atmos atmos
USER atmos
WORKDIR /var/lib/atmos
ENTRYPOINT ["atmos"]
CMD ["--help"]
