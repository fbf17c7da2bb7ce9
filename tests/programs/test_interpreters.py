"""Languages: python, perl, lua, php; ruby, node and java."""

from pathlib import Path

import pytest

from stage import find

INPUTS = Path(__file__).resolve().parents[2] / "bench" / "programs"

# ---- python ----

PYTHON_WORK = """
import collections, hashlib, json, random, re, subprocess, sys, threading, zlib

random.seed(5)
def row(i):
    return {"id": i, "name": "x" * random.randrange(300), "tags": [random.random() for _ in range(i % 20)]}
rows = [row(i) for i in range(5000)]
text = json.dumps(rows)
print(len(text), hashlib.sha256(json.dumps(json.loads(text)).encode()).hexdigest())
print(hashlib.sha256(zlib.compress(text.encode())).hexdigest())
counter = collections.Counter(re.findall("[0-9]+", text))
print(counter.most_common(3))

results = [None] * 8
def work(n):
    table = {str(i): [i] * (i % 50) for i in range(3000)}
    for i in range(0, 3000, 2):
        del table[str(i)]
    results[n] = sum(len(v) for v in table.values())
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print(results)
code = "print(len([bytes(i) for i in range(5000)]))"
print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
big = bytearray()
for i in range(2000):
    big += b"y" * 5000
print(len(big), zlib.crc32(big))
"""

PYTHON_POOL = """
import multiprocessing

def square(x):
    return sum(len(str(i)) for i in range(x * 100))

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(4) as pool:
        print(pool.map(square, range(40)))
"""


@pytest.mark.parametrize("blocks_of", ["malloc", "pymalloc"])
def test_python(same_output, version, python, blocks_of):
    env = {"PYTHONHASHSEED": "0", "PYTHONMALLOC": blocks_of}
    same_output(lambda stage: stage.good(python, "-c", PYTHON_WORK, env=env), version(python), by=[Path(python).name])


def test_python_prints_42(plain, preload, python):
    """What a user of the library sees first: the program's own output, and the line that was asked for."""
    done = preload(python, "-c", "print(6*7)").served()
    assert (done.out, done.rest, done.code) == ("42\n", "", 0)


def test_python_forks_workers(same_output, version, python):
    same_output(lambda stage: stage.good(python, "-c", PYTHON_POOL), version(python), by=[Path(python).name])


# ---- perl ----

PERL_WORK = r"""
use strict;
my (%index, @lines);
my $state = 1;
sub draw { $state = $state * 16807 % 2147483647; return $state % shift; }
for my $i (1 .. 4000) {
  my $line = join ' ', map { 'w' . draw(3000) } 0 .. draw(30);
  push @lines, $line;
  push @{ $index{$_} }, $i for split / /, $line;
}
print scalar(keys %index), "\n";
for my $word ((sort { @{ $index{$b} } <=> @{ $index{$a} } || $a cmp $b } keys %index)[0 .. 9]) {
  print "$word: @{ $index{$word} }\n";
}
my $text = join "\n", @lines;
(my $other = $text) =~ s/w(\d+)([02468])\b/<$2$1>/g;
print length($other), ' ', unpack('%32C*', $other), "\n";
delete $index{$_} for grep { /[13579]$/ } keys %index;
my @children;
for my $n (1 .. 4) {
  pipe my $in, my $out;
  my $child = fork;
  if (!$child) {
    my %copy = map { $_ . $n => [@{ $index{$_} }] } keys %index;
    print $out scalar(keys %copy), ' ', length(join ',', map { @$_ } values %copy), "\n";
    close $out;
    exit 0;
  }
  close $out;
  push @children, [$child, $in];
}
for (@children) {
  my ($child, $in) = @$_;
  print readline $in;
  waitpid $child, 0;
  print "status $?\n";
}
my $big = '';
$big .= 'y' x 5000 for 1 .. 2000;
print length($big), ' ', `echo from a shell`;
"""


def test_perl(same_output, version):
    perl = find("perl")
    same_output(
        lambda stage: stage.good(perl, "-we", PERL_WORK, env={"PERL_HASH_SEED": "0"}),
        f"perl {version(perl, '-e', 'print $^V')}",
        by=["perl"],
    )


# ---- lua ----

LUA_WORDS = """
local words = {}
for i = 1, 60000 do words[i] = string.format("%x", i * 7919 % 100003):rep(i % 9 + 1) end
table.sort(words)
local text = table.concat(words, " ")
print(#text, words[1], words[#words], select(2, text:gsub("(%x)%1", "")))
local routines = {}
for i = 1, 2000 do
  routines[i] = coroutine.wrap(function() for n = 1, i % 7 + 1 do coroutine.yield(("r"):rep(i + n)) end end)
  routines[i]()
end
collectgarbage()
local sum = 0
for i = 1, 2000, 3 do sum = sum + #(routines[i]() or "") end
print(sum)
"""


def test_lua(same_output, version):
    lua = find("lua5.4")
    same_output(
        lambda stage: stage.good(lua, INPUTS / "tree.lua", "12") + stage.good(lua, "-e", LUA_WORDS),
        version(lua, "-v").partition("  ")[0],
        by=["lua5.4"],
    )


# ---- php ----

# Its extensions are opened with RTLD_DEEPBIND.
PHP_WORK = r"""
$rows = [];
for ($i = 0; $i < 20000; $i++) {
  $rows["key $i"] = ["id" => $i, "name" => str_repeat("x", $i * 7919 % 300), "tags" => range(0, $i % 20)];
  if ($i % 3 == 0) unset($rows["key " . intdiv($i, 2)]);
}
$text = json_encode($rows);
echo count($rows), " ", strlen($text), " ", md5(serialize(json_decode($text, true))), "\n";
echo preg_match_all("/x{20,}/", $text), " ", crc32(implode(",", array_keys($rows))), "\n";
echo extension_loaded("ctype") && ctype_digit("42") ? "ctype" : "no ctype", "\n";
echo md5(iconv("UTF-8", "UTF-16LE", str_repeat("ab", 50000))), "\n";
$big = "";
for ($i = 0; $i < 2000; $i++) $big .= str_repeat("y", 5000);
echo strlen($big), " ", shell_exec("echo from a shell");
"""


def test_php(same_output, version):
    php = find("php")
    line = ["-d", "memory_limit=-1", "-r", PHP_WORK]
    same_output(lambda stage: stage.good(php, *line), version(php), by=["php"])


# ---- ruby ----

RUBY_WORK = """
require "json"
require "digest"
require "zlib"

rows = (0...4000).map do |i|
  { "id" => i, "name" => "x" * (i * 7919 % 300), "tags" => (0...i % 20).map { |k| k * 0.5 } }
end
text = JSON.generate(rows)
puts text.size, Digest::SHA256.hexdigest(JSON.generate(JSON.parse(text)))
puts Digest::SHA256.hexdigest(Zlib.deflate(text))
threads = (0...8).map { |n| Thread.new { (0...3000).map { |i| "#{n}#{i}" * (i % 30) }.uniq.sum(&:size) } }
puts threads.map(&:value).inspect
GC.start
GC.compact if GC.respond_to?(:compact)
reader, writer = IO.pipe
child = fork { writer.puts rows.map { |row| row["name"] + "y" }.sum(&:size) }
Process.wait(child)
writer.close
puts reader.read, $?.exitstatus
"""


@pytest.mark.slow
def test_ruby(same_output, version):
    ruby = find("ruby")
    same_output(
        lambda stage: stage.good(ruby, INPUTS / "index.rb", "2000") + stage.good(ruby, "-e", RUBY_WORK),
        version(ruby),
        by=["ruby"],
    )


# ---- node ----

NODE_WORK = """
const crypto = require("crypto"), zlib = require("zlib"), { execFileSync } = require("child_process");
const { Worker } = require("worker_threads");
const hash = (data) => crypto.createHash("sha256").update(data).digest("hex");

const rows = [];
for (let i = 0; i < 5000; i++) {
  rows.push({ id: i, name: "x".repeat((i * 7919) % 300), tags: Array.from({ length: i % 20 }, (_, k) => k / 2) });
}
const text = JSON.stringify(rows);
console.log(text.length, hash(JSON.stringify(JSON.parse(text))), hash(zlib.deflateSync(text)));
const buffers = [];
for (let i = 1; i < 4000; i++) {
  buffers.push(Buffer.alloc((i * 104729) % 60000, i % 251));
  if (i % 3 === 0) buffers.splice((i * 31) % buffers.length, 1);
}
console.log(buffers.length, hash(Buffer.concat(buffers.slice(0, 500))));
const code = "console.log(new Map([...Array(9999).keys()].map((i) => [i, `${i}`])).size)";
console.log(execFileSync(process.execPath, ["-e", code], { encoding: "utf8" }));
const body = `
  const { parentPort, workerData } = require("worker_threads");
  const zlib = require("zlib");
  let size = 0;
  for (let i = 0; i < 40; i++) size += zlib.gunzipSync(zlib.gzipSync(Buffer.alloc(20000 + i * workerData, i))).length;
  parentPort.postMessage([workerData, size]);
`;
const answers = [1, 2, 3, 4].map((n) => new Promise((resolve, reject) => {
  const worker = new Worker(body, { eval: true, workerData: n });
  worker.on("message", resolve);
  worker.on("error", reject);
}));
Promise.all(answers).then((all) => console.log(all.join(" ")));
"""


@pytest.mark.slow
def test_node(same_output, version):
    node = find("node")
    same_output(lambda stage: stage.good(node, "-e", NODE_WORK), f"node {version(node)}", by=["node"])


# ---- java ----

JAVA_WORK = """
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;
import java.util.zip.*;

public class Work {
  static byte[] deflated(byte[] data) throws Exception {
    var out = new ByteArrayOutputStream();
    try (var stream = new GZIPOutputStream(out)) {
      stream.write(data);
    }
    return out.toByteArray();
  }

  static long checked(int n) throws Exception {
    var words = new TreeMap<String, List<Integer>>();
    for (int i = 0; i < 20000; i++) {
      words.computeIfAbsent("word" + (i * 7919 + n) % 1009, w -> new ArrayList<>()).add(i);
    }
    var sum = new CRC32();
    sum.update(deflated(words.toString().getBytes()));
    for (int i = 1; i < 200; i++) {
      sum.update(ByteBuffer.allocateDirect(i * 1000).putInt(0, i));
    }
    return sum.getValue();
  }

  public static void main(String[] arguments) throws Exception {
    var pool = Executors.newFixedThreadPool(4);
    var sums = new ArrayList<Future<Long>>();
    for (int n = 0; n < 12; n++) {
      final int each = n;
      sums.add(pool.submit(() -> checked(each)));
    }
    for (var sum : sums) {
      System.out.println(sum.get());
    }
    pool.shutdown();
    var text = IntStream.range(0, 30000).mapToObj(Integer::toHexString).collect(Collectors.joining());
    System.out.println(text.hashCode());
  }
}
"""


@pytest.mark.slow
def test_java(same_output, version):
    java, javac = find("java"), find("javac")

    def work(stage):
        (stage.folder / "Work.java").write_text(JAVA_WORK)
        said = stage.good(javac, "-J-Xmx512m", "-d", stage.folder, stage.folder / "Work.java")
        return said, stage.good(java, "-Xmx512m", "-cp", stage.folder, "Work")

    same_output(work, version(java), by=["java", "javac"])
