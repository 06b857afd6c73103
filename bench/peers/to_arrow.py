"""DuckDB's own way to Arrow, by its Python package: each line of standard input is a statement and a file, as JSON; the rows go to the file as an
Arrow stream, batch by batch, and an empty line answers."""

import json
import sys

import duckdb
import pyarrow as pa

BATCH_ROWS = 122_880

connection = duckdb.connect(":memory:", config={"threads": 2, "memory_limit": sys.argv[1]})
connection.execute("set TimeZone = 'UTC'; set parquet_metadata_cache = true")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["file"] is None:
        connection.execute(asked["sql"])
    else:
        reader = connection.execute(asked["sql"]).to_arrow_reader(BATCH_ROWS)
        with pa.OSFile(asked["file"], "wb") as sink, pa.ipc.new_stream(sink, reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    print(flush=True)
