"""Profiles as gzipped profile.proto, which pprof and others read; and back.

The message is described here by its public names and numbers, so that no compiler of protocol buffers is needed.
"""

import gzip

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from .errors import ProfileError
from .model import LIVE_BYTES, VALUES, Line, Location, Mapping, Profile, Sample

_FIELD = descriptor_pb2.FieldDescriptorProto
_TYPES = {"i": _FIELD.TYPE_INT64, "u": _FIELD.TYPE_UINT64, "b": _FIELD.TYPE_BOOL, "s": _FIELD.TYPE_STRING}

# Of each message: name, number, type (i, u, b, s, or a message's name), and * if it is repeated.
_MESSAGES = {
    "ValueType": "type 1 i, unit 2 i",
    "Label": "key 1 i, str 2 i, num 3 i, num_unit 4 i",
    "Sample": "location_id 1 u*, value 2 i*, label 3 Label*",
    "Mapping": "id 1 u, memory_start 2 u, memory_limit 3 u, file_offset 4 u, filename 5 i, build_id 6 i, "
    "has_functions 7 b, has_filenames 8 b, has_line_numbers 9 b, has_inline_frames 10 b",
    "Line": "function_id 1 u, line 2 i, column 3 i",
    "Location": "id 1 u, mapping_id 2 u, address 3 u, line 4 Line*, is_folded 5 b",
    "Function": "id 1 u, name 2 i, system_name 3 i, filename 4 i, start_line 5 i",
    "Profile": "sample_type 1 ValueType*, sample 2 Sample*, mapping 3 Mapping*, location 4 Location*, "
    "function 5 Function*, string_table 6 s*, drop_frames 7 i, keep_frames 8 i, time_nanos 9 i, duration_nanos 10 i, "
    "period_type 11 ValueType, period 12 i, comment 13 i*, default_sample_type 14 i, doc_url 15 i",
}


def _message_class():
    file = descriptor_pb2.FileDescriptorProto(name="profile.proto", package="perftools.profiles", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field in fields.split(", "):
            field_name, number, kind = field.split()
            plain = kind.rstrip("*")
            one = message.field.add(name=field_name, number=int(number))
            one.label = _FIELD.LABEL_REPEATED if kind.endswith("*") else _FIELD.LABEL_OPTIONAL
            one.type = _TYPES.get(plain, _FIELD.TYPE_MESSAGE)
            if plain not in _TYPES:
                one.type_name = f".perftools.profiles.{plain}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("perftools.profiles.Profile"))


_Profile = _message_class()


class _Table:
    """Numbers things in the order in which they come first; `make` is told of each new one."""

    def __init__(self, first, make):
        self._numbers, self._first, self._make = {}, first, make

    def __call__(self, thing):
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(self._numbers) + self._first
            self._make(number, thing)
        return number


class _Writer:
    def __init__(self):
        self.message = _Profile()
        self.string = _Table(0, lambda _, text: self.message.string_table.append(text))
        self.mapping = _Table(1, self._add_mapping)
        self.function = _Table(1, self._add_function)
        self.location = _Table(1, self._add_location)
        self.string("")

    def _add_mapping(self, number, one):
        self.message.mapping.add(
            id=number,
            memory_start=one.start,
            memory_limit=one.end,
            file_offset=one.offset,
            filename=self.string(one.file),
            build_id=self.string(one.build_id),
            has_functions=True,
            has_filenames=True,
            has_line_numbers=True,
            has_inline_frames=True,
        )

    def _add_function(self, number, key):
        name, system_name, file = key
        self.message.function.add(
            id=number, name=self.string(name), system_name=self.string(system_name or name), filename=self.string(file)
        )

    def _add_location(self, number, one):
        location = self.message.location.add(id=number, address=one.address)
        if one.mapping is not None:
            location.mapping_id = self.mapping(one.mapping)
        for line in one.lines:
            function = self.function((line.function, line.system_name, line.file))
            location.line.add(function_id=function, line=line.line)

    def value_type(self, to, name, unit):
        to.type, to.unit = self.string(name), self.string(unit)


def encode(profile):
    """The bytes of a .pb.gz file."""
    writer = _Writer()
    message = writer.message
    for name, unit in VALUES:
        writer.value_type(message.sample_type.add(), name, unit)
    for mapping in profile.mappings:
        writer.mapping(mapping)
    for sample in profile.samples:
        one = message.sample.add(value=[round(value) for value in sample.values])
        one.location_id.extend(writer.location(location) for location in sample.locations)
        if sample.process:
            one.label.add(key=writer.string("process"), str=writer.string(sample.process))
    writer.value_type(message.period_type, "space", "bytes")
    message.period = profile.every
    message.time_nanos = profile.time
    message.comment.extend(writer.string(comment) for comment in profile.comments)
    message.default_sample_type = writer.string(VALUES[LIVE_BYTES][0])
    return gzip.compress(message.SerializeToString(), mtime=0)


def decode(path):
    """The profile in a .pb.gz file that has the values of VALUES."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        message = _Profile.FromString(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    except OSError as error:
        why = error.strerror or "it is no gzip file"
        raise ProfileError(f"{path} could not be read: {why}") from error
    except (DecodeError, EOFError) as error:
        raise ProfileError(f"{path} is no profile in the form of pprof") from error
    text = message.string_table
    kinds = [text[one.type] for one in message.sample_type]
    missing = [name for name, _ in VALUES if name not in kinds]
    if missing:
        what = f"{path} is no heap profile: it has no {missing[0]}"
        raise ProfileError(what, "Name a profile that ./hakmem profile wrote")
    order = [kinds.index(name) for name, _ in VALUES]
    locations = _locations(message)
    samples = [
        Sample(tuple(locations[number] for number in one.location_id), [float(one.value[i]) for i in order])
        for one in message.sample
    ]
    comments = [text[number] for number in message.comment]
    return Profile(samples, [], message.period, message.time_nanos, comments)


def _locations(message):
    text = message.string_table
    mappings = {
        one.id: Mapping(one.memory_start, one.memory_limit, one.file_offset, text[one.filename], text[one.build_id])
        for one in message.mapping
    }
    functions = {one.id: one for one in message.function}
    found = {}
    for one in message.location:
        lines = []
        for line in one.line:
            function = functions[line.function_id]
            lines.append(Line(text[function.name], text[function.filename], line.line, text[function.system_name]))
        lines = lines or [Line(f"{one.address:#x}")]
        found[one.id] = Location(one.address, mappings.get(one.mapping_id), tuple(lines))
    return found
