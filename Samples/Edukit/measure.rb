# What publishing adds to a request of the back end: ruby measure.rb [ROUNDS], with atmos in PATH. Each round saves one message on each of
# several Rails servers, one after another; none of them knows of the others. On Linux it tells the processor's time of Rails, too.
require "etc"
require "json"
require "net/http"
require "socket"
require "tmpdir"

ROUNDS = (ARGV[0] || 500).to_i
SERVER = File.join(__dir__, "server/server.rb")
KEY = "anna-0123456789abcdef"
PIDS = []

def spawned(environment, *command)
  output, input = IO.pipe
  PIDS << spawn(environment, *command, out: input, err: File::NULL)
  input.close
  output.gets&.strip || abort("#{command.first} did not start")
end

# A server, with a function that saves a message there.
def rails(folder, name, environment)
  base = spawned({ "EDUKIT_KEYS" => "#{folder}/users.keys", "ATMOSPHERE_KEY" => "publisher-0123456789abcdef" }.merge(environment),
    "ruby", SERVER, "#{folder}/#{name.tr(" ,:", "_")}.db", "0")
  http = Net::HTTP.start("127.0.0.1", URI(base).port, read_timeout: 60, keep_alive_timeout: 60)
  headers = { "Authorization" => "Bearer #{KEY}", "Content-Type" => "application/json" }
  topic = JSON.parse(http.get("/api/topics.json", headers).body).find { |row| row["title"] == "Chapter 4" }["id"]
  save = lambda do |number|
    body = { topic_id: topic, text: "Message #{number}, about as long as what people write to each other." }.to_json
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    answer = http.post("/api/messages.json", body, headers)
    abort "#{name}: #{answer.code}" unless answer.code == "201"
    (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000
  end
  Case.new(PIDS.last, save, [])
end

# One way to publish: its server, what saves there, and the time of each save.
Case = Struct.new(:pid, :save, :times) do
  def processor
    return unless File.exist?("/proc/#{pid}/stat")
    File.read("/proc/#{pid}/stat")[/\) (.*)/, 1].split[11, 2].sum(&:to_i) * 1000.0 / Etc.sysconf(Etc::SC_CLK_TCK)
  end
end

def median(times) = times.sort[times.size / 2]
# What is more is the median of what the same round took longer.
def row(name, times, base, processor = nil)
  more = times.equal?(base) ? "" : format("%+.2f", median(times.zip(base).map { |each, without| each - without }))
  puts format("%-38s %8.2f %8.2f %8s %10s", name, median(times), times.sort[times.size * 9 / 10], more, processor&.round(2)).rstrip
end

Dir.mktmpdir do |folder|
  File.write("#{folder}/users.keys", %w[anna ben clara].map { |name| "#{name}-0123456789abcdef #{name}\n" }.join)
  File.write("#{folder}/publishers.keys", "publisher-0123456789abcdef school\n")
  live = spawned({}, "atmos", "serve", "--port", "0", "--publishers", "#{folder}/publishers.keys", "--clients", "#{folder}/users.keys")
  closed = TCPServer.new("127.0.0.1", 0).then { |server| server.addr[1].tap { server.close } }
  hung = TCPServer.new("127.0.0.1", 0)
  cases = {
    "tells nobody" => {},
    "tells by a thread of its own" => { "ATMOSPHERE_URL" => live },
    "tells in the request" => { "ATMOSPHERE_URL" => live, "EDUKIT_PUBLISH" => "request" },
    "by a thread, and the server is away" => { "ATMOSPHERE_URL" => "http://127.0.0.1:#{closed}" },
    "by a thread, and the server hangs" => { "ATMOSPHERE_URL" => "http://127.0.0.1:#{hung.addr[1]}" }
  }.to_h { |name, environment| [name, rails(folder, name, environment)] }
  50.times { |number| cases.each_value { |each| each.save.call(number) } }
  before = cases.transform_values(&:processor)
  ROUNDS.times { |number| cases.values.rotate(number).each { |each| each.times << each.save.call(number) } }
  puts format("%-38s %8s %8s %8s %10s", "POST /messages.json, #{ROUNDS} times, ms", "median", "p90", "more", "processor")
  without = cases["tells nobody"].times
  cases.each { |name, each| row(name, each.times, without, before[name] && (each.processor - before[name]) / ROUNDS) }
  slow = rails(folder, "in the request, hangs", { "ATMOSPHERE_URL" => "http://127.0.0.1:#{hung.addr[1]}", "EDUKIT_PUBLISH" => "request" })
  row("in the request, and the server hangs", Array.new(3) { |number| slow.save.call(number) }, without)
ensure
  PIDS.each { |pid| Process.kill(:TERM, pid) }
  PIDS.each { |pid| Process.wait(pid) }
end
