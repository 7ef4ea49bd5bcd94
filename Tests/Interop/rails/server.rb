# A small Rails 6.1 API that the interop tests start, edit behind the client's back, and stop.
#
# One file instead of a project tree: options, models, controllers, routes and server, in that order.
# Run `ruby server.rb --help` for the options; README.md tells what it is for.

require "json"
require "optparse"
require "socket"

options = { port: 0, page: 100 }
OptionParser.new do |parser|
  parser.banner = "Projects and todos behind Rails, on 127.0.0.1."
  parser.on("--database FILE", "SQLite file; made when missing") { |value| options[:database] = value }
  parser.on("--port N", Integer, "0, the default, takes a free one") { |value| options[:port] = value }
  parser.on("--seed N", Integer, "replace all rows by N todos; without it rows are kept") { |value| options[:seed] = value }
  parser.on("--log FILE", "append one JSON line per request") { |value| options[:log] = value }
  parser.on("--exit-on-eof", "end when standard input closes") { options[:eof] = true }
end.parse!
abort "server.rb: --database FILE is needed" unless options[:database]

# The client may die without a word; its end of the pipe closes then.
if options[:eof]
  Thread.new do
    nil while $stdin.read(4096)
    Process.kill(:TERM, Process.pid)
  end
end

require "active_support/all"
require "active_record"
require "action_controller"
require "active_model/serializers/xml"
require "puma"
require "puma/server"

Time.zone = "UTC"
ActiveRecord::Base.default_timezone = :utc
ActiveRecord::Base.time_zone_aware_attributes = true
ActiveSupport::JSON::Encoding.time_precision = 3
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: options[:database], pool: 8, timeout: 5000)
ActiveRecord::Migration.verbose = false
I18n.load_path += Dir[File.join(Gem::Specification.find_by_name("activerecord").gem_dir, "lib/**/locale/en.yml")] rescue nil

# Models.

unless ActiveRecord::Base.connection.table_exists?(:todos)
  ActiveRecord::Schema.define do
    create_table :projects do |t|
      t.string :name, null: false
      t.string :client_token
      t.integer :lock_version, null: false, default: 0
      t.timestamps precision: 3
    end
    create_table :todos do |t|
      t.references :project, null: false
      t.string :title, null: false
      t.text :notes
      t.boolean :done, null: false, default: false
      t.decimal :hours, precision: 8, scale: 2
      t.float :rating
      t.date :due_on
      t.datetime :remind_at, precision: 3
      t.integer :position
      t.string :client_token
      t.integer :lock_version, null: false, default: 0
      t.datetime :deleted_at, precision: 3
      t.timestamps precision: 3
    end
    add_index :projects, :client_token, unique: true
    add_index :todos, :client_token, unique: true
  end
end

class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true
  include ActiveModel::Serializers::Xml
end

class Project < ApplicationRecord
  has_many :todos
  validates :name, presence: true
  validates :client_token, uniqueness: true, allow_nil: true
  FIELDS = %i[name client_token lock_version].freeze
end

class Todo < ApplicationRecord
  belongs_to :project, optional: false
  validates :title, presence: true, length: { maximum: 200 }
  validates :client_token, uniqueness: true, allow_nil: true
  FIELDS = %i[project_id title notes done hours rating due_on remind_at position client_token lock_version].freeze

  # A row that is not deleted does not show when it was.
  def serializable_hash(options = nil)
    super.tap { |hash| hash.delete("deleted_at") if hash["deleted_at"].nil? }
  end
end

module Rows
  # The same rows for the same number, with everything that a format could get wrong.
  def self.seed(count)
    Todo.delete_all
    Project.delete_all
    ActiveRecord::Base.connection.execute("DELETE FROM sqlite_sequence")
    start = Time.utc(2024, 1, 1, 8)
    projects = (count / 25.0).ceil.clamp(1, 1000)
    Project.insert_all!((1..projects).map do |n|
      { id: n, name: "Project #{n}", created_at: start, updated_at: start + n, client_token: "seed-project-#{n}" }
    end)
    (1..count).each_slice(500) do |slice|
      Todo.insert_all!(slice.map do |n|
        {
          id: n, project_id: (n - 1) / 25 + 1, title: n % 7 == 0 ? "Milk & <bread> “№ #{n}”" : "Todo #{n}",
          notes: [nil, "", "First line\nsecond line", "007"][n % 4], done: n % 3 == 0,
          hours: [nil, BigDecimal("0.25"), BigDecimal("12.50"), BigDecimal("-3")][n % 4],
          rating: [nil, 0.5, 3.0][n % 3], due_on: n % 5 == 0 ? nil : Date.new(2024, 1, 1) + n,
          remind_at: n % 4 == 0 ? nil : start + n * 60, position: n % 6 == 0 ? nil : n, client_token: "seed-todo-#{n}",
          created_at: start, updated_at: start + n
        }
      end)
    end
  end
end

Rows.seed(options[:seed]) if options[:seed]

# Controllers.

ActionDispatch::Request.parameter_parsers =
  ActionDispatch::Request.parameter_parsers.merge(xml: ->(raw) { Hash.from_xml(raw) || {} })

class ApplicationController < ActionController::API
  include ActionController::MimeResponds
  wrap_parameters format: [:json]

  rescue_from ActiveRecord::RecordNotFound do
    answer 404, error: "Not Found"
  end
  rescue_from ActiveRecord::StaleObjectError do
    answer 409, error: "Conflict"
  end
  rescue_from ActionController::ParameterMissing, ActionDispatch::Http::Parameters::ParseError do |error|
    answer 400, error: error.message.lines.first.strip
  end

  def index
    rows = rows_to_list.order(:id)
    rows = rows.where(client_token: params[:client_token]) if params[:client_token]
    rows = rows.where("updated_at > ?", Time.zone.parse(params[:updated_since])) if params[:updated_since]
    total = rows.count
    rows = paged(rows, total) if params[:page] || params[:per_page]
    respond_to do |format|
      format.json { render json: listed(rows, total) }
      format.xml { render xml: rows.to_a.to_xml(root: model.model_name.plural, skip_types: false) }
    end
  end

  def show
    row = find
    render_row row if stale?(etag: row, template: false)
  end

  def create
    save model.new(attributes), 201
  end

  def update
    row = find
    row.assign_attributes(attributes)
    save row, 200
  end

  def destroy
    remove find
    head :no_content
  end

  private

  def model = controller_name.classify.constantize
  def rows_to_list = model.all
  def find = model.find(params[:id])
  def attributes = params.require(model.model_name.singular).permit(*model::FIELDS)
  def shape = params[:shape]

  def remove(row) = row.destroy!

  def save(row, status)
    if row.save
      render_row row.reload, status
    else
      respond_to do |format|
        format.json { render json: errors(row), status: 422 }
        format.xml { render xml: row.errors.full_messages.to_xml(root: "errors", skip_types: true), status: 422 }
      end
    end
  rescue ActiveRecord::RecordNotUnique
    row.errors.add(:client_token, :taken)
    render json: errors(row), status: 422
  end

  def errors(row)
    return row.errors.to_hash unless shape == "envelope"
    { errors: row.errors.map { |error| { field: error.attribute, message: error.message } } }
  end

  def render_row(row, status = 200)
    # Rails applications build their answers in different ways; the order of members is nothing to rely on.
    hash = row.as_json
    hash = hash.to_a.rotate(3).to_h unless request.get?
    respond_to do |format|
      format.json { render json: shape ? { model.model_name.singular => hash } : hash, status: status }
      format.xml { render xml: row.to_xml, status: status }
    end
  end

  def listed(rows, total)
    all = rows.map(&:as_json)
    case shape
    when "rooted" then all.map { |row| { model.model_name.singular => row } }
    when "envelope" then { model.model_name.plural => all, meta: { total: total, server_time: Time.now.utc } }
    else all
    end
  end

  def paged(rows, total)
    size = params[:per_page].to_i.clamp(1, 500)
    size = 30 unless params[:per_page]
    page = [params[:page].to_i, 1].max
    last = [(total.to_f / size).ceil, 1].max
    links = { first: 1, prev: (page - 1 if page > 1), next: (page + 1 if page < last), last: last }.compact
    response.headers["X-Total-Count"] = total.to_s
    response.headers["X-Total-Pages"] = last.to_s
    response.headers["Link"] = links.map { |name, number| "<#{link(number)}>; rel=\"#{name}\"" }.join(", ")
    response.headers["X-Next-Url"] = link(links[:next]) if links[:next]
    rows.offset((page - 1) * size).limit(size)
  end

  def link(page) = "#{request.base_url}#{request.path}?#{request.query_parameters.merge(page: page).to_query}"

  def answer(status, body)
    respond_to do |format|
      format.json { render json: body, status: status }
      format.xml { render xml: body.to_xml(root: "error"), status: status }
      format.any { head status }
    end
  end
end

class ProjectsController < ApplicationController
  private

  # Takes its todos along, and tells nobody.
  def remove(row)
    row.transaction do
      Todo.where(project_id: row.id).delete_all
      row.destroy!
    end
  end
end

class TodosController < ApplicationController
  private

  def rows_to_list = params[:with_deleted] ? Todo.all : Todo.where(deleted_at: nil)

  def find
    super.tap { |row| raise Gone if row.deleted_at }
  end

  # Deleting is a change: the row stays, marked.
  def remove(row) = row.update_columns(deleted_at: Time.now.utc, updated_at: Time.now.utc)

  class Gone < StandardError; end
  rescue_from(Gone) { answer 410, error: "Gone" }
end

# What the tests do behind the client's back. Plain Rack: no Rails between them and the rows.
class Control
  MODELS = { "project" => Project, "todo" => Todo }.freeze

  def call(env)
    request = Rack::Request.new(env)
    body = request.post? ? JSON.parse(request.body.read) : request.params
    model = MODELS[body["model"]]
    case request.path_info
    when "/touch"
      row = model.find(body["id"])
      row.update!(body["fields"])
      reply 200, row.reload.as_json
    when "/delete"
      model.find(body["id"]).destroy!
      reply 200, {}
    when "/dump" then reply 200, model.order(:id).map(&:as_json)
    when "/break" then reply 200, break_next(body["count"])
    else reply 404, {}
    end
  end

  # The next creates happen, and their answers are lost.
  def break_next(count) = { count: Faults.lost = count }

  def reply(status, body) = [status, { "Content-Type" => "application/json" }, [body.to_json]]
end

module Faults
  class << self
    attr_accessor :lost
  end
  self.lost = 0
end

# Routes.

ROUTES = ActionDispatch::Routing::RouteSet.new
ROUTES.draw do
  [nil, "rooted", "envelope"].each do |shape|
    scope path: shape, defaults: { shape: shape } do
      resources :projects, :todos, only: %i[index show create update destroy], defaults: { format: "json" }
    end
  end
  mount Control.new, at: "/control"
end
ApplicationController.include(ROUTES.url_helpers)

# Server.

LOCK = Mutex.new
application = lambda do |env|
  request = Rack::Request.new(env)
  body = env["rack.input"].read
  env["rack.input"].rewind
  status, headers, answer = ROUTES.call(env)
  unless request.path.start_with?("/control/")
    if options[:log]
      line = { method: request.request_method, path: request.path, query: request.query_string, status: status, body: body }
      LOCK.synchronize { File.write(options[:log], "#{line.to_json}\n", mode: "a") }
    end
    if request.post? && Faults.lost > 0
      Faults.lost -= 1
      answer.close if answer.respond_to?(:close)
      # A proxy that gave up: the row is there, and nobody hears of it.
      next [504, { "Content-Type" => "text/html" }, ["<html><body>Gateway Timeout</body></html>"]]
    end
  end
  [status, headers, answer]
ensure
  ActiveRecord::Base.clear_active_connections!
end

server = Puma::Server.new(application, Puma::Events.strings, min_threads: 0, max_threads: 6)
listener = server.add_tcp_listener("127.0.0.1", options[:port])
%w[TERM INT].each { |name| Signal.trap(name) { exit!(0) } }
$stdout.puts "ready http://127.0.0.1:#{listener.addr[1]}/"
$stdout.flush
server.run.join
