-- SPDX-License-Identifier: Apache-2.0
-- Wireshark dissector for the Sealwire link, wire format versions 1 and 2 (docs/wire-format.md).
--
-- Knows packets by EtherType 0x88B5 and by UDP port (preference, 4500 unless set). Everything but the header is sealed or
-- random, so nothing here needs a key; what a receiver would drop without looking at a tag is flagged under the receiver's
-- own name for the cause. Copy it into the folder "Personal Lua Plugins" of Help > About > Folders, or
-- tshark -X lua_script:wireshark/sealwire.lua -r capture.pcap

local sealwire = Proto("sealwire", "Sealwire link")

local ETHERTYPE = 0x88B5
local HEADER, ID, MAC = 16, 8, 16
local MIN_FRAME, MAX_FRAME = 14, 9600
local OLDEST, NEWEST = 1, 2 -- versions
local DATA, HELLO, HELLO_REPLY, CONFIRM = 0, 1, 2, 3

local TYPES = { [DATA] = "data", [HELLO] = "hello", [HELLO_REPLY] = "hello-reply", [CONFIRM] = "confirm" }

-- Per suite: alias and scheme, tag length in bytes, length of R in bytes, and the bits that a packet number may have.
local SUITES = {
  [0x01] = { name = "omd-sha512 (omdsha512k512n256tau256v2)", tag = 32, random = 32, number_bits = 48 },
  [0x02] = { name = "omd-blake2b (omdblake2bk512n256tau256v2)", tag = 32, random = 32, number_bits = 48 },
  [0x03] = { name = "pomd-sha512 (pomdsha512k512n256tau256)", tag = 32, random = 32, number_bits = 48 },
  [0x04] = { name = "pomd-blake2b (pomdblake2bk512n256tau256)", tag = 32, random = 32, number_bits = 48 },
  [0x05] = { name = "omd-sha256 (omdsha256k256n104tau160v2)", tag = 20, random = 16, number_bits = 48 },
  [0x11] = { name = "otr-aes128-p (aes128otrpv3)", tag = 16, random = 32, number_bits = 28 },
  [0x12] = { name = "otr-aes256-p (aes256otrpv3)", tag = 16, random = 32, number_bits = 28 },
  [0x21] = { name = "ocb-aes128 (aeadaes128ocbtaglen128v1)", tag = 16, random = 32, number_bits = 28 },
  [0x22] = { name = "ocb-aes256 (aeadaes256ocbtaglen128v1)", tag = 16, random = 32, number_bits = 28 },
  [0x31] = { name = "gcm-aes128 (aes128gcmv1)", tag = 16, random = 32, number_bits = 30 },
  [0x32] = { name = "gcm-aes256 (aes256gcmv1)", tag = 16, random = 32, number_bits = 30 },
  [0x41] = { name = "aegis-128l (aegis128ltau128)", tag = 16, random = 32, number_bits = 48 },
  [0x42] = { name = "aegis-256 (aegis256tau128)", tag = 16, random = 32, number_bits = 48 },
  [0x51] = { name = "ascon-aead128 (asconaead128)", tag = 16, random = 32, number_bits = 40 },
  [0x61] = { name = "deoxys-ii-128 (deoxysii128v143)", tag = 16, random = 32, number_bits = 27 },
  [0x62] = { name = "deoxys-ii-256 (deoxysii256v143)", tag = 16, random = 32, number_bits = 27 },
}
local SUITE_NAMES = {}
for code, suite in pairs(SUITES) do
  SUITE_NAMES[code] = suite.name
end

local f = {
  version = ProtoField.uint8("sealwire.version", "Version", base.DEC, nil, 0xf0),
  type = ProtoField.uint8("sealwire.type", "Type", base.DEC, TYPES, 0x0f),
  suite = ProtoField.uint8("sealwire.suite", "Suite", base.HEX, SUITE_NAMES),
  length = ProtoField.uint16("sealwire.length", "Length after the header", base.UNIT_STRING, { " bytes" }),
  session = ProtoField.bytes("sealwire.session", "Session id of the receiver"),
  number = ProtoField.uint64("sealwire.number", "Packet number", base.DEC),
  hello_number = ProtoField.uint64("sealwire.hello_number", "Number of the hello", base.DEC),
  ciphertext = ProtoField.bytes("sealwire.ciphertext", "Ciphertext"),
  frame_length = ProtoField.uint16("sealwire.frame_length", "Length of the sealed message", base.UNIT_STRING, { " bytes" }),
  tag = ProtoField.bytes("sealwire.tag", "Tag"),
  keep_alive = ProtoField.bool("sealwire.keep_alive", "Keep-alive"),
  id = ProtoField.uint64("sealwire.id", "Id of the sender", base.HEX),
  random = ProtoField.bytes("sealwire.random", "Random value of the sender"),
  offers = ProtoField.bytes("sealwire.offers", "Session id that the sender offers"),
  mac = ProtoField.bytes("sealwire.mac", "MAC"),
  rest = ProtoField.bytes("sealwire.rest", "Bytes that fit no message"),
  padding = ProtoField.bytes("sealwire.padding", "Padding"),
  drop = ProtoField.string("sealwire.drop", "A receiver drops it as"),
}
sealwire.fields = {
  f.version, f.type, f.suite, f.length, f.session, f.number, f.hello_number, f.ciphertext, f.frame_length, f.tag, f.keep_alive, f.id,
  f.random, f.offers, f.mac, f.rest, f.padding, f.drop,
}

local malformed = ProtoExpert.new("sealwire.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR)
local unusual = ProtoExpert.new("sealwire.undeliverable", "Not deliverable", expert.group.PROTOCOL, expert.severity.NOTE)
sealwire.experts = { malformed, unusual }

sealwire.prefs.ports = Pref.range("UDP ports", "4500", "UDP ports of Sealwire links; empty for none", 65535)

-- An end that is called and has lost its sessions asks for a call: nothing in it is secret or authentic.
local function is_request(buffer, kind)
  return kind == DATA and buffer(4, 4):uint() == 0 and buffer(8, 4):uint() == 0 and buffer(12, 4):uint() == 0
end

-- The first of the receive rules that the packet fails by its form alone: name of the cause, explanation.
-- Which types, which suite and which sessions are right only the two ends know.
local function judge(buffer)
  local size = buffer:reported_len()
  if size < HEADER then
    return "short", "under " .. HEADER .. " bytes"
  end
  local length = buffer(2, 2):uint()
  if length > size - HEADER then
    return "short", string.format("length says %d bytes, %d are there", length, size - HEADER)
  end
  local version, kind = buffer(0, 1):bitfield(0, 4), buffer(0, 1):bitfield(4, 4)
  if version < OLDEST or version > NEWEST then
    return "version", "version " .. version
  end
  if not TYPES[kind] then
    return "type", "type " .. kind
  end
  local suite = SUITES[buffer(1, 1):uint()]
  if not suite then
    return "suite", "no such suite"
  end
  if kind == DATA then
    if length < suite.tag + 1 or length > suite.tag + MAX_FRAME then
      return "length", string.format("data has %d to %d bytes", suite.tag + 1, suite.tag + MAX_FRAME)
    end
  elseif length ~= ID + suite.random + MAC then
    return "length", string.format("handshake messages have %d bytes", ID + suite.random + MAC)
  end
  local no_session = buffer(4, 4):uint() == 0
  if kind == HELLO and not no_session then
    return "session", "a hello has session id 0"
  elseif kind ~= HELLO and no_session and not is_request(buffer, kind) then
    return "session", "no session has id 0"
  end
  if kind ~= DATA then
    if buffer(16, 4):uint() == 0 and buffer(20, 4):uint() == 0 then
      return "peer", "no end has id 0"
    end
    local is_numbered = version > OLDEST and kind == HELLO
    if not is_numbered and (buffer(8, 4):uint() ~= 0 or buffer(12, 4):uint() ~= 0) then
      return "number", "no packet number but 0 here"
    end
  elseif buffer(8, 8):uint64():rshift(suite.number_bits):tonumber() ~= 0 then
    return "number", string.format("packet numbers are below 2^%d", suite.number_bits)
  end
  return nil
end

local function add_data(tree, body, suite)
  local message = body:len() - suite.tag
  tree:add(f.ciphertext, body(0, message))
  tree:add(f.tag, body(message, suite.tag))
  tree:add(f.frame_length, message):set_generated()
  tree:add(f.keep_alive, message == 1):set_generated()
  if message == 1 then
    return "keep-alive"
  end
  if message < MIN_FRAME then
    tree:add_proto_expert_info(unusual, "under " .. MIN_FRAME .. " bytes: never delivered, only shows life")
  end
  return string.format("data, %d bytes", message)
end

local function add_handshake(tree, body, suite, kind)
  tree:add(f.id, body(0, ID))
  local random = tree:add(f.random, body(ID, suite.random))
  random:add(f.offers, body(ID, 4))
  tree:add(f.mac, body(ID + suite.random, MAC))
  return string.format("%s from %s", TYPES[kind], body(0, ID):bytes():tohex(true))
end

function sealwire.dissector(buffer, pinfo, root)
  pinfo.cols.protocol = "Sealwire"
  local tree = root:add(sealwire, buffer())
  local cause, why = judge(buffer)
  local size = buffer:len()
  if size >= HEADER then
    tree:add(f.version, buffer(0, 1))
    tree:add(f.type, buffer(0, 1))
    tree:add(f.suite, buffer(1, 1))
    tree:add(f.length, buffer(2, 2))
    tree:add(f.session, buffer(4, 4))
    local is_numbered = buffer(0, 1):bitfield(0, 4) > OLDEST and buffer(0, 1):bitfield(4, 4) == HELLO
    tree:add(is_numbered and f.hello_number or f.number, buffer(8, 8))
  end
  local info
  if cause then
    info = string.format("malformed (%s): %s", cause, why)
    tree:add(f.drop, cause):set_generated()
    tree:add_proto_expert_info(malformed, info)
    local start = size >= HEADER and HEADER or 0
    if size > start then
      tree:add(f.rest, buffer(start))
    end
  else
    local kind, suite = buffer(0, 1):bitfield(4, 4), SUITES[buffer(1, 1):uint()]
    local length = buffer(2, 2):uint()
    if size < HEADER + length then
      info = TYPES[kind] .. ", cut by the capture"
      if size > HEADER then
        tree:add(f.rest, buffer(HEADER))
      end
    else
      local body = buffer(HEADER, length):tvb()
      if is_request(buffer, kind) then
        info = "call request"
        tree:add(f.rest, body())
      elseif kind == DATA then
        info = add_data(tree, body, suite)
      else
        info = add_handshake(tree, body, suite, kind)
      end
      if size > HEADER + length then
        tree:add(f.padding, buffer(HEADER + length))
      end
    end
    if kind ~= HELLO then
      info = info .. ", session " .. buffer(4, 4):bytes():tohex(true)
    end
    if kind == DATA then
      info = info .. ", number " .. tostring(buffer(8, 8):uint64())
    end
    tree:append_text(", " .. info)
  end
  pinfo.cols.info = info
  return buffer:len()
end

DissectorTable.get("ethertype"):add(ETHERTYPE, sealwire)

local ports = sealwire.prefs.ports
DissectorTable.get("udp.port"):add(ports, sealwire)

function sealwire.prefs_changed()
  local table = DissectorTable.get("udp.port")
  if ports ~= "" then
    table:remove(ports, sealwire)
  end
  ports = sealwire.prefs.ports
  if ports ~= "" then
    table:add(ports, sealwire)
  end
end
