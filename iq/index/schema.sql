-- The index of one workspace: a pure cache, rebuilt at will. One file is replaced in one transaction.
-- `application_id` marks the database as iq's, `user_version` is the schema's; a mismatch of either rebuilds.

-- One row for every file of the walk. A path is TEXT, or BLOB where its name is not UTF-8.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path UNIQUE NOT NULL,
    size INTEGER NOT NULL,              -- bytes
    mtime INTEGER NOT NULL,             -- ns, of the last change, whatever time was set since; 0 where it was too close to being read to be trusted
    hash BLOB NOT NULL,                 -- BLAKE2b-128 of the bytes; empty where they were not read
    language TEXT NOT NULL,
    class TEXT NOT NULL,                -- src, tests, docs, config, examples, generated, history, vendored
    encoding TEXT NOT NULL,
    lines INTEGER NOT NULL,
    skipped TEXT NOT NULL,              -- why it has no chunks: '', 'too large', 'binary', 'unreadable'
    unparsed TEXT NOT NULL,             -- why it has chunks but no syntax, though its language has a grammar: '', 'grammar gave up'
    names TEXT NOT NULL,                -- distinct terms of the names it defines at its top level, by spaces
    importers INTEGER NOT NULL          -- files that import it, when the edges were last level: a prior, not an answer
);

-- Definitions, in source order. `line..end` includes leading comments; `name_line` and `column` find the name itself.
CREATE TABLE symbols (
    file INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL,
    end INTEGER NOT NULL,
    name_line INTEGER NOT NULL,
    "column" INTEGER NOT NULL,
    container TEXT NOT NULL,
    signature TEXT NOT NULL,
    doc TEXT NOT NULL,
    exported INTEGER NOT NULL
);
CREATE INDEX symbols_file ON symbols (file, line);
CREATE INDEX symbols_name ON symbols (name COLLATE NOCASE);

-- Modules as written in import statements. `kind` is one of those listed in index/imports.py; `names` are what the
-- statement takes from the module, by newlines.
CREATE TABLE imports (file INTEGER NOT NULL, module TEXT NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL, names TEXT NOT NULL);
CREATE INDEX imports_file ON imports (file);

-- What the imports resolve to, which depends on all other files: emptied whenever one of them changes, filled again by the
-- first question that needs it (meta key `edges` says that it is filled). No target: the module looks like one of the
-- workspace's own and no file of it was found. `through` is 1 where a facade between the two re-exports the name.
CREATE TABLE edges (source INTEGER NOT NULL, target INTEGER, line INTEGER NOT NULL, module TEXT NOT NULL, kind TEXT NOT NULL, through INTEGER NOT NULL);
CREATE INDEX edges_target ON edges (target);
CREATE INDEX edges_source ON edges (source);

-- What commits touched, under the names of that commit: paths by NUL, renames as pairs. Kept for ever: a commit never changes.
CREATE TABLE changes (oid TEXT PRIMARY KEY, files BLOB NOT NULL, renamed BLOB NOT NULL) WITHOUT ROWID;

-- Retrieval units. id = file << 16 | position, so that the chunks of a file are one range of ids.
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    symbol TEXT NOT NULL,               -- qualified name of the definition that is or encloses it
    kind TEXT NOT NULL,
    names TEXT NOT NULL                 -- names defined in it, by spaces
);

-- Inverted indexes over tokens that plan.tokens has already split and stemmed: `ascii` only cuts them at spaces.
-- Contentless: the text itself is read live. The rowids are chunks.id and files.id.
CREATE VIRTUAL TABLE chunk_terms USING fts5 (path, symbols, body, comments, content='', contentless_delete=1, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE file_terms USING fts5 (path, symbols, body, comments, content='', contentless_delete=1, tokenize="ascii tokenchars '_'");
CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_terms, row);

-- Affinities of chunks to intents (see plan.lens): for each intent the three weight vectors made from its texts (float32),
-- and for each file three float16 columns, a row a chunk in their order. They go with their file, or with their intent.
CREATE TABLE lenses (
    intent TEXT PRIMARY KEY,
    digest BLOB NOT NULL,               -- of the encoder's name and the texts: another one means that the column is old
    weights BLOB NOT NULL
);
CREATE TABLE affinities (
    intent TEXT NOT NULL,
    file INTEGER NOT NULL,
    columns BLOB NOT NULL,
    PRIMARY KEY (intent, file)
) WITHOUT ROWID;
CREATE INDEX affinities_file ON affinities (file);
-- At most one row: mean and covariance (float32) of the vectors of all chunks when they were last taken, and how many there were.
CREATE TABLE lens_corpus (space TEXT NOT NULL, chunks INTEGER NOT NULL, mean BLOB NOT NULL, covariance BLOB NOT NULL);

-- The one vector space of `chunk_vectors`, a vec0 table that is made with the first vectors: rowid is chunks.id, `vector` int8[width]
-- under cosine. `name` is model hash, pooling, normalisation, tokens and quantiser; `rotation` float32[width][width], applied before quantising;
-- `revision` counts changes of `chunk_vectors`, so that a matrix in memory is known to be stale.
CREATE TABLE vector_space (name TEXT NOT NULL, width INTEGER NOT NULL, rotation BLOB NOT NULL, revision INTEGER NOT NULL);

-- Chunks that have a vector: what is left to do is known without loading vec0.
CREATE TABLE embedded (chunk INTEGER PRIMARY KEY);

-- Facts of the commits that HEAD reaches, newest first until all are there; what is no longer reachable goes. Paths are the
-- workspace's, a floored one is counted in `held` and not stored, one outside of the workspace only counts in `files`.
CREATE TABLE authors (
    id INTEGER PRIMARY KEY,
    raw BLOB UNIQUE NOT NULL,           -- `name\0email` as the commit says it; the two below are what .mailmap makes of it
    name TEXT NOT NULL,
    email TEXT NOT NULL
);
CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    sha BLOB UNIQUE NOT NULL,
    time INTEGER NOT NULL,              -- when it was committed, not first written: seconds since 1970
    author INTEGER NOT NULL,
    parents INTEGER NOT NULL,           -- above 1 it is a merge, which changes no files of its own here
    files INTEGER NOT NULL,             -- changed files, all of them; -1 where its objects or its parents are missing
    held INTEGER NOT NULL,              -- changed files that the floor holds back
    subject TEXT NOT NULL
);
CREATE INDEX commits_time ON commits (time);
CREATE TABLE commit_paths (id INTEGER PRIMARY KEY, path UNIQUE NOT NULL);
CREATE TABLE commit_files (
    commit_id INTEGER NOT NULL,
    path_id INTEGER NOT NULL,
    old_id INTEGER,                     -- the path before a rename
    added INTEGER,                      -- lines; NULL for binary files
    removed INTEGER,
    PRIMARY KEY (commit_id, path_id)
) WITHOUT ROWID;
CREATE INDEX commit_files_path ON commit_files (path_id);
CREATE INDEX commit_files_old ON commit_files (old_id) WHERE old_id IS NOT NULL;

-- Branches of each definition and file, counted when it is read (see complexity.py); `line` 0 is the whole file.
CREATE TABLE complexity (file INTEGER NOT NULL, line INTEGER NOT NULL, name TEXT NOT NULL, branches INTEGER NOT NULL, PRIMARY KEY (file, line, name)) WITHOUT ROWID;

-- complete: '1' once a first build has finished · root: the workspace it was made for.
-- history: the head and shallow border that the facts of commits are level with · mailmap: a hash of the one that was applied.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
