# Spawnpoint as an image, made of an unpacked release: the site, the watcher and every command, without a database (DATABASE_URL
# names one), without npm, compilers or tests, run by a user without rights. In the folder of a release `docker build -t spawnpoint .`;
# compose.yaml beside it runs it with a Postgres. In a checkout `npm run release` makes such a folder in release/.

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libatomic1 && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 10001 spawnpoint \
    && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin spawnpoint \
    && install -d -o spawnpoint -g spawnpoint -m 0700 /data /backups
WORKDIR /srv/spawnpoint
# Only a release has this file: a checkout, which is not built and has tools in it, ends here.
COPY release.json ./
# Owned by root: who breaks into the site cannot change its program. Postgres stays out (.dockerignore).
COPY . .
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER spawnpoint
VOLUME /data
EXPOSE 3000
# Alive, not ready: a container that waits for its database is not helped by being killed.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["/srv/spawnpoint/node_modules/node/bin/node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/srv/spawnpoint/node_modules/node/bin/node", "/srv/spawnpoint/cli/spawnpoint.ts"]
CMD ["start"]
