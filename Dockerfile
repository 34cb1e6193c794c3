# cvkit as a command: docker run --rm -v "$PWD:/data" cvkit check visits.csv --target died --groups patient
FROM node:22-slim AS build
WORKDIR /cvkit
COPY . .
RUN npm ci && npm run build && npm pack --pack-destination /tmp

FROM node:22-slim
COPY --from=build /tmp/cvkit-*.tgz /tmp/cvkit.tgz
RUN npm install --global /tmp/cvkit.tgz && rm /tmp/cvkit.tgz
USER node
WORKDIR /data
ENTRYPOINT ["cvkit"]
CMD ["--help"]
