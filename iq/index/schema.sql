-- The index of one workspace: a pure cache, rebuilt at will. One file is replaced in one transaction.
-- `application_id` marks the database as iq's, `user_version` is the schema's; a mismatch of either rebuilds.

-- One row for every file of the walk. A path is TEXT, or BLOB where its name is not UTF-8.
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path UNIQUE NOT NULL,
    size INTEGER NOT NULL,              -- bytes
    mtime INTEGER NOT NULL,             -- ns; 0 where the file changed too close to being read to trust its time
    hash BLOB NOT NULL,                 -- BLAKE2b-128 of the bytes; empty where they were not read
    language TEXT NOT NULL,
    class TEXT NOT NULL,                -- src, tests, docs, config, examples, generated, history, vendored
    encoding TEXT NOT NULL,
    lines INTEGER NOT NULL,
    skipped TEXT NOT NULL,              -- why it has no chunks: '', 'too large', 'binary', 'unreadable'
    names TEXT NOT NULL                 -- distinct terms of the names it defines at its top level, by spaces
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

-- Modules as written in import statements; what they resolve to depends on the other files, so it is not stored.
CREATE TABLE imports (file INTEGER NOT NULL, module TEXT NOT NULL, line INTEGER NOT NULL);
CREATE INDEX imports_file ON imports (file);

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

-- complete: '1' once a first build has finished · root: the workspace it was made for.
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
