"""May this path ever surface? Secrets and `.git` never do; inside `.iq/` only what people wrote does.

The floor is absolute: no verb, flag, cursor, history or blame lifts it. It judges names only, so it costs nothing and
needs no index; it prefers a false alarm (a public certificate) to a leak.
"""

from __future__ import annotations

from collections.abc import Iterable

# Whole names, lower case, of files that hold credentials.
SECRET_NAMES = frozenset(
    {
        ".netrc", "_netrc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".htpasswd", ".htdigest", ".git-credentials", ".npmrc", ".pypirc", ".yarnrc",
        ".dockercfg", ".s3cfg", ".boto", ".vault-token", ".envrc", ".terraformrc", "terraform.rc", "credentials", "credentials.json",
        "credentials.yml", "credentials.yaml", "credentials.toml", "credentials.yml.enc", "client_secret.json", "client_secrets.json",
        "service-account.json", "service_account.json", "serviceaccount.json", "secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml",
        "secret.json", "secret.yml", "secret.yaml", "secret.toml", "master.key", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk",
        "id_ed25519_sk", "shadow", "gshadow", "htpasswd", "keystore", "wallet.dat", "login.keychain", "key3.db", "key4.db", "logins.json",
        "kubeconfig", "terraform.tfstate", "terraform.tfstate.backup", ".pgpassfile", ".rediscli_auth", ".databrickscfg", ".credentials",
        "application_default_credentials.json", "accesstokens.json", "azureprofile.json",
    }
)  # fmt: skip

# Endings of keys, certificates and key stores.
SECRET_SUFFIXES = (
    ".pem", ".key", ".p12", ".pfx", ".p8", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".gpg", ".pgp", ".asc", ".crt", ".cer", ".der", ".csr",
    ".p7b", ".p7c", ".keytab", ".ovpn", ".agekey", ".tfstate", ".keychain", ".keychain-db", ".jceks", ".bks", ".snk", ".mobileprovision",
)  # fmt: skip

# Folders whose whole content is credentials. `.aws` and the like appear in home directories and, by accident, in repositories.
SECRET_FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".password-store", ".vault", ".1password"})

# Inside `.iq/` only these are written by people.
AUTHORED = frozenset({"config.toml", "intents.toml"})
AUTHORED_FOLDERS = frozenset({"notes"})

_SOURCE_SUFFIXES = (
    ".md", ".rst", ".txt", ".html",
    ".py", ".js", ".ts", ".tsx", ".jsx", ".go", ".rs", ".java", ".kt", ".c", ".h", ".cc", ".cpp", ".cs", ".rb", ".php", ".swift",
)  # fmt: skip

# Why nothing in a folder may surface, kept since files share their folders; forgotten at this many.
_judged: dict[str, str] = {}
FOLDERS = 65536


def _judge(folder: str) -> str:
    """Why nothing in `folder` may surface, or `""`."""
    parts = folder.split("/")
    for at, part in enumerate(parts):
        lower = part.lower()
        if lower == ".git":
            return "git"
        if lower in SECRET_FOLDERS:
            return "secret"
        if lower == ".iq" and parts[at + 1 :] and parts[at + 1] not in AUTHORED_FOLDERS:
            return "iq"
        if lower.startswith(".env") and (len(lower) == 4 or lower[4] in ".-_"):
            return "secret"
    return ""


def floored(path: str) -> str:
    """Why `path` may never surface (`git`, `secret`, `iq`), or `""` where it may."""
    path = path.replace("\\", "/")
    folder, _, name = path.rpartition("/")
    if (why := _judged.get(folder)) is None:
        if len(_judged) >= FOLDERS:
            _judged.clear()
        why = _judged[folder] = _judge(folder)
    if why:
        return why
    lower = name.lower()
    if lower == ".git":
        return "git"
    if lower == "config.json" and (folder == ".docker" or folder.endswith("/.docker")):
        return "secret"
    if folder == ".iq" or folder.endswith("/.iq"):
        return "" if lower in AUTHORED else "iq"
    if lower.startswith(".env") and (len(lower) == 4 or lower[4] in ".-_"):
        return "secret"
    if lower.endswith(".env") or lower in SECRET_NAMES or lower.endswith(SECRET_SUFFIXES):
        return "secret"
    if lower.startswith(("id_rsa", "id_ed25519", "id_ecdsa", "id_dsa")) and not lower.endswith(_SOURCE_SUFFIXES):
        return "secret"
    return ""


def allowed(paths: Iterable[str]) -> list[str]:
    """The paths that may surface, in their order."""
    return [path for path in paths if not floored(path)]
