# An index of made-up texts: words to the places where they stand, sorted, thinned out, joined.
# Argument: how many texts.

count = Integer(ARGV.fetch(0))
state = 1
draw = lambda do
  state ^= state << 13 & 0xFFFFFFFF
  state ^= state >> 17
  state ^= state << 5 & 0xFFFFFFFF
end

Place = Struct.new(:text, :position)
index = Hash.new { |hash, word| hash[word] = [] }
places = 0
count.times do |text|
  words = Array.new(20 + draw.call % 40) { "w#{(draw.call % 5000).to_s(36)}" }
  words.each_with_index { |word, position| index[word.dup] << Place.new(text, position) }
  places += words.size
end
raise "places were lost" unless index.values.sum(&:size) == places

puts "words #{index.size}, places #{places}"
longest = index.sort_by { |word, found| [-found.size, word] }.first(3)
puts(longest.map { |word, found| "#{word} #{found.size}" })

index.delete_if { |_, found| found.size.odd? }
lines = index.sort.map { |word, found| "#{word}: " + found.map { |place| "#{place.text}/#{place.position}" }.join(" ") }
puts "lines #{lines.size}, characters #{lines.sum(&:size)}"
