# iq with its models inside: nothing is fetched when it runs.
#   docker build -t iq .
#   docker run --rm -v "$PWD:/workspace" iq "how are options parsed?"

FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY iq ./iq
COPY scripts ./scripts
RUN python -m venv /opt/iq
RUN /opt/iq/bin/python -m pip install --no-cache-dir --disable-pip-version-check '.[mcp]'
ENV IQ_MODEL_DIR=/opt/models
RUN /opt/iq/bin/iq models install && chmod -R a+rX /opt/models

FROM python:3.12-slim
COPY --from=build /opt/iq /opt/iq
COPY --from=build /opt/models /opt/models
# The cache takes any user that `docker run --user` names; mount a volume there to keep vectors between runs.
RUN mkdir -m 1777 /cache /workspace
RUN useradd --uid 1000 --create-home iq
ENV PATH=/opt/iq/bin:$PATH IQ_MODEL_DIR=/opt/models IQ_ROOT=/workspace XDG_CACHE_HOME=/cache IQ_RESIDENT=off
USER iq
WORKDIR /workspace
ENTRYPOINT ["iq"]
CMD ["--help"]
