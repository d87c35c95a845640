# Builds the one binary; SQLite, fonts, pages and examples are inside it.
FROM rust:1.95-slim-bookworm AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Cargo.toml Cargo.lock ./
COPY fixtures fixtures
COPY migrations migrations
COPY static static
COPY templates templates
COPY src src
RUN cargo build --release --locked --bin vmfit

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/vmfit vmfit
COPY --from=build /build/target/release/vmfit /usr/local/bin/vmfit
USER vmfit
WORKDIR /var/lib/vmfit
VOLUME /var/lib/vmfit
EXPOSE 8080
# The image has no curl; bash opens the connection itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /healthz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["vmfit"]
# A container is reached from outside by its published port only, so the program listens on every address of it. There
# are no logins yet, and --allow-anonymous says that this is known: publish the port to loopback or behind a proxy that
# asks who is there.
CMD ["serve", "--listen", "0.0.0.0:8080", "--allow-anonymous", "--database", "sqlite:///var/lib/vmfit/vmfit.db"]
