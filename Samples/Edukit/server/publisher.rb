require "json"
require "net/http"
require "securerandom"

# Tells a notification server what has changed. That never fails a request, nor makes one wait: whoever misses it finds the change with
# the next pull.
class Publisher
  # More than these wait only while the server is away, and then nobody listens either.
  LIMIT = 10_000
  PAUSE = 0.02

  def initialize(url, key, in_request: false)
    @url, @key, @in_request, @waiting = url && URI(url), key, in_request, Thread::SizedQueue.new(LIMIT)
    Thread.new { work } if @url && !in_request
  end

  def tell(event)
    return if @url.nil? || @is_silent
    # What is sent again after a lost answer is delivered once.
    event = event.merge(id: SecureRandom.uuid)
    return publish([event]) if @in_request
    @waiting.push(event, true)
  rescue ThreadError
    warn "no live update: too many wait"
  end

  def silently
    @is_silent = true
    yield
  ensure
    @is_silent = false
  end

  private

  # The request that has changed something is answered first; what has come meanwhile goes in one request.
  def work
    loop do
      events = [@waiting.pop]
      sleep PAUSE
      events << @waiting.pop while events.size < 100 && !@waiting.empty?
      publish(events)
    end
  end

  def publish(events)
    is_kept = !Thread.current.thread_variable_get(:publisher).nil?
    answer = connection.post("/events", { events: events }.to_json, "Content-Type" => "application/json", "Authorization" => "Bearer #{@key}")
    warn "no live update: answer #{answer.code}" unless answer.is_a?(Net::HTTPSuccess)
  rescue StandardError => error
    close
    # A kept connection may have ended while nobody used it.
    retry if is_kept
    warn "no live update: #{error.message}"
  end

  # One for each thread that publishes.
  def connection
    Thread.current.thread_variable_get(:publisher) || begin
      options = { use_ssl: @url.scheme == "https", open_timeout: 2, read_timeout: 2, write_timeout: 2, keep_alive_timeout: 30 }
      Net::HTTP.start(@url.host, @url.port, **options).tap { |http| Thread.current.thread_variable_set(:publisher, http) }
    end
  end

  def close
    Thread.current.thread_variable_get(:publisher)&.finish
  rescue IOError
    nil
  ensure
    Thread.current.thread_variable_set(:publisher, nil)
  end
end
