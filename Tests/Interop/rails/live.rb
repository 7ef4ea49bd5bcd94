# The recipe of the guide "Telling the server what changed", in a Rails of one file: live.rb URL KEY GUIDE
#
# The concern is read out of the guide itself. Saves, renames and deletes a task, and one in a transaction that is rolled
# back; prints what it did.

require "net/http"
require "socket"
require "logger"
require "active_support/all"
require "active_record"

module Rails
  def self.logger = @logger ||= Logger.new(File::NULL)
end

ENV["ATMOSPHERE_URL"], ENV["ATMOSPHERE_KEY"], guide = ARGV
eval File.read(guide, encoding: "utf-8")[/```ruby\n(.*?)```/m, 1]
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define { create_table(:tasks) { |table| table.string :title } }

class Task < ActiveRecord::Base
  include Live
end

task = Task.create!(title: "one")
Task.transaction do
  Task.create!(title: "never")
  raise ActiveRecord::Rollback
end
task.update!(title: "two")
task.destroy!
ENV["ATMOSPHERE_URL"] = "http://127.0.0.1:1"
Task.create!(title: "nobody listens")

# Answers each connection once with that; with nothing at all for nil, for as long as the client waits.
def odd_server(answer)
  listener = TCPServer.new("127.0.0.1", 0)
  Thread.new do
    connection = listener.accept
    connection.readpartial(65_536)
    answer ? connection.write(answer) : connection.read(1)
    connection.close
  end
  "http://127.0.0.1:#{listener.addr[1]}"
end

["no HTTP at all\r\n\r\n", "", "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n", nil].each do |answer|
  ENV["ATMOSPHERE_URL"] = odd_server(answer)
  Task.create!(title: "saved all the same")
end
raise "#{Task.count} tasks" unless Task.count == 5

puts task.id
