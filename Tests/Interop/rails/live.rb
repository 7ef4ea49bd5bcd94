# The recipe of the guide "Telling the server what changed", in a Rails of one file: live.rb URL KEY GUIDE
#
# The concern is read out of the guide itself. Saves, renames and deletes a task, and one in a transaction that is rolled
# back; prints what it did.

require "net/http"
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
puts task.id
