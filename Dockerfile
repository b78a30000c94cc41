# The image of Freehold. Build it with: docker build -t freehold .   docs/containers.md says how to run it.

# The base image needs Node 24 or later, npm and a user `node`.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --workspaces=false --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error \
    && rm -rf node_modules/.bin

FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY bin/console.mjs bin/console-body-schemas.mjs bin/with-node.mjs bin/
COPY docs/openapi.json docs/openapi-v2.json docs/
COPY console console
# Later stages copy only the build result.
RUN node bin/console.mjs && rm -rf console/node_modules

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production \
    FREEHOLD_LISTEN=0.0.0.0:8700 \
    FREEHOLD_DATA=/data
# A new volume inherits the owner and the mode of the folder that it is mounted on.
RUN mkdir -m 700 /data && chown node /data && ln -s /app/bin/container.mjs /usr/local/bin/freehold
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY examples ./examples
COPY README.md ./
COPY docs ./docs
COPY src ./src
COPY --from=console /app/console/dist ./console/dist

USER node
VOLUME /data
EXPOSE 8700 8701
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "bin/healthy.mjs"]
# The exec form passes SIGTERM to Node. Arguments replace `up`: docker run freehold backup ...
ENTRYPOINT ["freehold"]
CMD ["up"]
