# A Rails 6.1 with Active Storage and its service on disk, for the interop tests: notes, each with a scan.
#
# Direct uploads are at /api/uploads, and the contents themselves outside of /api, where no credentials may come.
# Run `ruby storage.rb --help` for the options, which are those of server.rb.

require "json"
require "logger"
require "optparse"

options = { port: 0, seed: 0 }
OptionParser.new do |parser|
  parser.banner = "Notes with scans behind Rails and Active Storage, on 127.0.0.1."
  parser.on("--database FILE", "SQLite file; contents go beside it") { |value| options[:database] = value }
  parser.on("--port N", Integer, "0, the default, takes a free one") { |value| options[:port] = value }
  parser.on("--seed N", Integer, "how many notes there are") { |value| options[:seed] = value }
  parser.on("--log FILE", "append one JSON line per request") { |value| options[:log] = value }
  parser.on("--exit-on-eof", "end when standard input closes") { options[:eof] = true }
end.parse!
abort "storage.rb: --database FILE is needed" unless options[:database]

# The client may die without a word; its end of the pipe closes then.
if options[:eof]
  Thread.new do
    nil while $stdin.read(4096)
    Process.kill(:TERM, Process.pid)
  end
end

FOLDER = File.dirname(File.expand_path(options[:database]))
ENV["RAILS_ENV"] = "production"
ENV["DATABASE_URL"] = "sqlite3:#{File.expand_path(options[:database])}"

require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require "active_storage/engine"
require "puma"
require "puma/server"

class Application < Rails::Application
  config.root = FOLDER
  config.load_defaults 6.1
  config.eager_load = false
  config.logger = Logger.new(File::NULL)
  config.secret_key_base = "0" * 64
  config.action_controller.allow_forgery_protection = false
  config.active_job.queue_adapter = :inline
  config.active_storage.analyzers = []
  config.active_storage.service = :disk
  config.active_storage.service_configurations = {
    "disk" => { "service" => "Disk", "root" => File.join(FOLDER, "contents") }
  }
end

Application.routes.append do
  scope "/api" do
    resources :notes, only: %i[index show create update destroy], defaults: { format: "json" }
    post "uploads", to: "active_storage/direct_uploads#create"
  end
end
Application.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:notes) { |table| table.string :title }
  create_table(:active_storage_blobs) do |table|
    table.string :key, null: false, index: { unique: true }
    table.string :filename, null: false
    table.string :content_type
    table.text :metadata
    table.string :service_name, null: false
    table.bigint :byte_size, null: false
    table.string :checksum, null: false
    table.datetime :created_at, null: false
  end
  create_table(:active_storage_attachments) do |table|
    table.string :name, null: false
    table.references :record, null: false, polymorphic: true, index: false
    table.references :blob, null: false
    table.datetime :created_at, null: false
  end
  create_table(:active_storage_variant_records) do |table|
    table.belongs_to :blob, null: false, index: false
    table.string :variation_digest, null: false
  end
end

class Note < ActiveRecord::Base
  has_one_attached :scan
end

class NotesController < ActionController::API
  before_action { head :unauthorized unless request.headers["Authorization"] == "Token hunter22" }

  def index = render(json: Note.order(:id).map { |note| row(note) })
  def show = render(json: row(Note.find(params[:id])))

  def create
    render json: row(Note.create!(fields)), status: :created
  end

  def update
    note = Note.find(params[:id])
    note.update!(fields)
    render json: row(note.reload)
  end

  def destroy
    Note.find(params[:id]).destroy!
    head :no_content
  end

  private

  def fields = params.require(:note).permit(:title, :scan)

  def row(note)
    { id: note.id, title: note.title, scan_url: note.scan.attached? ? rails_blob_url(note.scan) : nil }
  end
end

(1..options[:seed]).each { |number| Note.create!(title: "Note #{number}") }

# Contents are had by their URLs alone; who sends credentials there would send them to any storage.
application = lambda do |env|
  request = Rack::Request.new(env)
  isSigned = env.key?("HTTP_AUTHORIZATION")
  isContent = request.path.start_with?("/rails/")
  status, headers, answer =
    isSigned && isContent ? [400, {}, ["credentials do not belong here"]] : Application.call(env)
  if options[:log]
    line = { method: request.request_method, path: request.path, query: request.query_string, status: status, body: "" }
    File.write(options[:log], "#{line.to_json}\n", mode: "a")
  end
  [status, headers, answer]
end

server = Puma::Server.new(application, Puma::Events.strings, min_threads: 0, max_threads: 6)
listener = server.add_tcp_listener("127.0.0.1", options[:port])
%w[TERM INT].each { |name| Signal.trap(name) { exit!(0) } }
$stdout.puts "ready http://127.0.0.1:#{listener.addr[1]}/"
$stdout.flush
server.run.join
