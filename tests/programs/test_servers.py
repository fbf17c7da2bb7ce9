"""Servers under load: redis; postgres and nginx."""

import glob
import hashlib
import os
import pwd
import re
import shutil
import signal
import urllib.error
import urllib.request

import pytest

from hakmem_program import run
from stage import find, free_port, until

# ---- redis ----

REDIS_COMMANDS = """
SET greeting hello
GET greeting
INCRBY counter 41
INCR counter
APPEND greeting " world, and a good deal more than fits into a small block, so that it moves"
GET greeting
RPUSH list a b c d e f g
LRANGE list 0 -1
SADD set one two three
SCARD set
HSET hash field value other thing
HGETALL hash
ZADD scores 3 c 1 a 2 b
ZRANGE scores 0 -1 WITHSCORES
SETRANGE sparse 1000000 x
STRLEN sparse
EVAL "local t = {} for i = 1, 3000 do t[i] = tostring(i) end return #table.concat(t)" 0
DEL list
EXISTS list
DBSIZE
FLUSHALL
DBSIZE
"""



def test_redis(same_output, version):
    server, client, load = find("redis-server"), find("redis-cli"), find("redis-benchmark")

    def work(stage):
        port = free_port()
        options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", stage.folder]

        def ask(*command, text=None):
            return run([client, "-p", port, *command], **({"input": text} if text else {})).out

        process = stage.start(server, *options)
        stage.ready(process, lambda: ask("PING").strip() == "PONG")
        answers = ask(text=REDIS_COMMANDS)
        assert "hello world" in answers and "10893" in answers
        loaded = run([load, "-p", port, "-n", "4000", "-c", "20", "-d", "500", "-q"])
        assert loaded.code == 0 and "GET: " in loaded.out and "rror" not in loaded.out + loaded.err, loaded
        assert int(ask("DBSIZE")) > 0
        # A fork that copies the whole heap: its child walks it and frees.
        assert ask("BGSAVE").strip() == "Background saving started"
        until(lambda: "rdb_bgsave_in_progress:0" in ask("INFO", "persistence"), "BGSAVE does not end")
        assert "rdb_last_bgsave_status:ok" in ask("INFO", "persistence")
        ask("SHUTDOWN", "NOSAVE")
        stage.ended(process, "redis-server")
        return answers

    same_output(work, version(server).partition(" sha=")[0], by=["redis-server"])


# ---- postgres ----

POSTGRES_SQL = """
CREATE TABLE t AS
  SELECT i AS id, md5(i::text) AS name, repeat('x', i % 300) AS filling FROM generate_series(1, 30000) i;
CREATE INDEX by_name ON t (name);
ANALYZE t;
SELECT count(*), sum(length(filling)), min(name), max(name) FROM t;
SELECT substr(name, 1, 1) AS k, count(*), md5(string_agg(filling, ',' ORDER BY id)) FROM t GROUP BY k ORDER BY k;
SELECT a.id, b.name FROM t a JOIN t b ON b.id = a.id * 2 WHERE a.id % 501 = 1 ORDER BY b.name LIMIT 40;
SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY id) ->> 5 FROM t WHERE id % 777 = 0;
DO $$ DECLARE s bigint := 0; BEGIN
  FOR i IN 1..20000 LOOP s := s + length(repeat('y', i % 50)); END LOOP;
  RAISE NOTICE '%', s;
END $$;
DELETE FROM t WHERE id % 3 = 0;
VACUUM FULL t;
SELECT count(*), sum(id) FROM t;
SELECT (SELECT count(*) FROM pgbench_accounts),
  (SELECT sum(abalance) FROM pgbench_accounts) = (SELECT sum(delta) FROM pgbench_history),
  (SELECT sum(tbalance) FROM pgbench_tellers) = (SELECT sum(bbalance) FROM pgbench_branches),
  (SELECT count(*) FROM pgbench_history);
"""


@pytest.mark.slow
def test_postgres(same_output, version, open_folder, variant, tmp_path):
    """initdb, the server and pgbench on hakmem, as a user that is not root: the server refuses to be root."""
    versions = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda folder: int(folder.split("/")[4]))
    versions.reverse()
    initdb, server, psql, pgbench = (find(name, versions) for name in ("initdb", "postgres", "psql", "pgbench"))
    as_user = {}
    folder = tmp_path
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        as_user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        folder = open_folder / f"postgres-{variant.name}"
        folder.mkdir()
        variant = shutil.copy(variant, folder / variant.name)  # the checkout may be closed to others

    def work(stage):
        if as_user:
            os.chown(stage.folder, as_user["user"], as_user["group"])
        data, port = stage.folder / "data", free_port()
        options = {"encoding": "UTF8", "locale": "C", "auth": "trust", "username": "tester", "pgdata": data}
        stage.good(initdb, "--no-sync", *(f"--{name}={value}" for name, value in options.items()), **as_user)
        settings = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": "", "fsync": "off",
                    "shared_buffers": "16MB", "logging_collector": "off"}  # fmt: skip
        settings = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        process = stage.start(server, "-D", data, *settings, **as_user)
        where = {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "tester", "PGDATABASE": "postgres"}
        ask = {"env": where, **as_user}
        stage.ready(process, lambda: stage.run(psql, "-c", "SELECT 1", **ask).code == 0)
        stage.good(pgbench, "--initialize", "--quiet", "--scale=2", **ask)
        loaded, _ = stage.good(pgbench, "--client=8", "--jobs=2", "--transactions=150", "--random-seed=5", **ask)
        assert "number of transactions actually processed: 1200/1200" in loaded, loaded
        said = stage.good(psql, "-X", "-q", "-v", "ON_ERROR_STOP=1", input=POSTGRES_SQL, **ask)
        assert "200000 | t" in said[0] and said[0].rstrip().endswith("(1 row)"), said
        process.send_signal(signal.SIGINT)  # ends the sessions and stops
        stage.ended(process, "postgres")
        return said

    by = ["initdb", "postgres", "pgbench", "psql"]
    same_output(work, version(server), by, folder=folder, library=variant)


# ---- nginx ----

NGINX = """
daemon off;
worker_processes 2;
pid FOLDER/nginx.pid;
error_log FOLDER/error.log;
USER
events { worker_connections 256; }
http {
  access_log FOLDER/access.log;
  client_body_temp_path FOLDER/body;
  proxy_temp_path FOLDER/proxy;
  fastcgi_temp_path FOLDER/fastcgi;
  uwsgi_temp_path FOLDER/uwsgi;
  scgi_temp_path FOLDER/scgi;
  gzip on;
  gzip_types *;
  gzip_min_length 100;
  keepalive_requests 100;
  server {
    listen 127.0.0.1:PORT;
    root FOLDER/site;
    location /echo/ { return 200 "$request_method $uri $http_user_agent\\n"; }
    location /through/ { proxy_pass http://127.0.0.1:PORT/; }
  }
}
"""


@pytest.mark.slow
def test_nginx(same_output, version):
    server, load = find("nginx"), find("ab")

    def work(stage):
        (stage.folder / "site").mkdir()
        for name, lines in (("small", 10), ("page", 600), ("big", 200000)):
            text = "".join(f"{name} {i * 7919 % 10007}\n" for i in range(lines))
            (stage.folder / "site" / f"{name}.txt").write_text(text)
        port = free_port()
        text = NGINX.replace("FOLDER", str(stage.folder)).replace("PORT", str(port))
        # Else the workers would be somebody who may not enter the folder.
        text = text.replace("USER", "user root root;" if os.geteuid() == 0 else "")
        (stage.folder / "nginx.conf").write_text(text)
        paths = ["small.txt", "page.txt", "big.txt", "through/page.txt", "echo/there", "nowhere"]

        def get(path, packed=False):
            headers = {"User-Agent": "tests", **({"Accept-Encoding": "gzip"} if packed else {})}
            request = urllib.request.Request(f"http://127.0.0.1:{port}/{path}", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    body = answer.read()
                    return answer.status, len(body), hashlib.sha256(body).hexdigest()
            except urllib.error.HTTPError as refused:
                return refused.code, refused.read()
            except OSError:
                return None

        process = stage.start(server, "-p", stage.folder, "-c", stage.folder / "nginx.conf")
        stage.ready(process, lambda: get("small.txt") is not None)
        before = [get(path, packed) for path in paths for packed in (False, True)]
        assert [answer[0] for answer in before] == [200] * 10 + [404] * 2
        for path, requests, *more in (("page.txt", 4000, "-k"), ("big.txt", 200), ("through/page.txt", 1000)):
            command = [load, "-q", "-n", requests, "-c", 20, *more, "-H", "Accept-Encoding: gzip"]
            loaded = run([*command, f"http://127.0.0.1:{port}/{path}"])
            assert loaded.code == 0, loaded
            assert re.search(rf"Complete requests: +{requests}\n", loaded.out), loaded
            assert re.search(r"Failed requests: +0\n", loaded.out) and "Non-2xx" not in loaded.out, loaded
        process.send_signal(signal.SIGHUP)  # new workers; the old ones end
        assert [get(path, packed) for path in paths for packed in (False, True)] == before
        process.send_signal(signal.SIGQUIT)
        stage.ended(process, "nginx")
        errors = (stage.folder / "error.log").read_text()
        assert "signal" not in errors.replace("signal process", "") and "[alert]" not in errors, errors
        return before

    same_output(work, version(server, "-v"), by=["nginx"])
