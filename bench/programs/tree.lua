-- Builds binary trees, walks them and lets them go; joins many strings. Argument: the depth of the deepest tree.

local function build(depth)
  if depth == 0 then
    return {}
  end
  return { left = build(depth - 1), right = build(depth - 1) }
end

local function count(tree)
  if not tree.left then
    return 1
  end
  return 1 + count(tree.left) + count(tree.right)
end

local depth = assert(math.tointeger(tonumber(arg[1])), "the argument is a depth")
local kept = build(depth)
for small = 4, depth, 2 do
  local nodes = 0
  for _ = 1, 1 << (depth - small) do
    nodes = nodes + count(build(small))
  end
  print("depth " .. small, nodes)
end
assert(count(kept) == (1 << (depth + 1)) - 1)

local words = {}
for i = 1, 1 << depth do
  words[#words + 1] = ("word %d "):format(i):rep(i % 7 + 1)
end
print("text", #table.concat(words))
