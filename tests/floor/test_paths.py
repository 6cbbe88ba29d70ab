"""Which paths never surface, and why."""

from __future__ import annotations

import pytest

from iq.floor.paths import allowed, floored

ROWS = {
    "git": [
        ".git", ".git/config", ".git/hooks/pre-commit", "sub/.git", "sub/.git/HEAD", ".GIT/config", "a/b/.Git/index", "sub\\.git\\HEAD",
    ],
    "iq": [
        ".iq/local/index.db", ".iq/local", ".iq/index.db", ".iq/cache/x/y", "packages/a/.iq/local/index.db", ".IQ/local/x", ".iq/notes.md",
        ".iq/sub/config.toml",
    ],
    "secret": [
        ".env", ".env.local", ".env.production", ".env-staging", ".env_test", ".ENV", "apps/web/.env", "prod.env", "config/db.env", ".env/settings.json",
        ".env.d/a.txt", ".envrc", ".netrc", "home/.npmrc", ".pypirc", ".git-credentials", "credentials", "aws/credentials.json", "config/master.key",
        "config/secrets.yml", "secrets.toml", "client_secret.json", "id_rsa", "id_rsa.pub", "keys/id_ed25519", "id_ed25519-work", "ID_RSA", "id_ecdsa.bak",
        "server.pem", "tls/cert.crt", "tls/SERVER.KEY", "store.jks", "vault.kdbx", "signing.p12", "release.asc", "terraform.tfstate",
        "infra/prod.tfstate", "terraform.tfstate.backup", ".ssh/config", ".aws/config", "home/.kube/config", ".gnupg/pubring.kbx", ".SSH/known_hosts",
        ".docker/config.json", "home/.docker/config.json", "kubeconfig", "etc/shadow", "tls\\server.key", ".iq/notes/server.pem", ".iq/notes/.env",
    ],
    "": [
        "", "a", "src/main.py", ".gitignore", ".gitattributes", ".github/workflows/ci.yml", ".gitmodules", "git/config", "x.git/config", "a.git",
        ".iq/config.toml", ".iq/intents.toml", ".iq/notes/today.md", ".iq/notes/deep/er.md", "pkg/.iq/config.toml", "iq/local/x", ".iqignore",
        "env", "env.py", ".environment", "environment.py", "src/env/index.ts", "dotenv.js", "secrets.py", "src/secrets/manager.go", "credentials.go",
        "docs/credentials.md", "keys.py", "key", "monkey.py", "keyboard.keymap", "id_rsa.py", "id_rsa_parser.go", "docs/id_ed25519.md", "shadow.css",
        "ssh/config", "aws/config", "docker/config.json", ".docker/Dockerfile", "config.json", "terraform.tf", "main.tfvars", "pem.go", "größe.txt",
        "caf\udce9.py",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("why", "path"), [(why, path) for why, paths in ROWS.items() for path in paths], ids=repr)
def test_reason(why: str, path: str) -> None:
    assert floored(path) == why


def test_allowed_keeps_the_order() -> None:
    assert allowed(["b", ".env", "a", ".git/x"]) == ["b", "a"]
