# Courses with topics, messages and wiki pages behind Rails, on 127.0.0.1: server.rb DATABASE PORT. It prints its base.
#
# EDUKIT_KEYS names a file with lines of KEY NAME, which `atmos serve --clients` takes as well. What changes is told to the notification
# server of ATMOSPHERE_URL with the key ATMOSPHERE_KEY: by a thread of its own, or with EDUKIT_PUBLISH=request in the request itself.
# After SIGUSR1 the next create is done, and the server dies before it answers.

require "json"
require "active_support/all"
require "active_record"
require "active_record/connection_adapters/sqlite3_adapter"
require "action_controller"
require "puma"
require "puma/server"
require "openssl"
require_relative "publisher"

DATABASE, PORT = ARGV
KEYS = File.readlines(ENV.fetch("EDUKIT_KEYS"), chomp: true).map(&:split).reject(&:empty?).to_h { |key, name| [key, name] }
PUBLISHER = Publisher.new(ENV["ATMOSPHERE_URL"], ENV["ATMOSPHERE_KEY"], in_request: ENV["EDUKIT_PUBLISH"] == "request")

Time.zone_default = Time.find_zone!("UTC")
ActiveRecord::Base.default_timezone = :utc
ActiveRecord::Base.time_zone_aware_attributes = true
ActiveSupport::JSON::Encoding.time_precision = 3
# What later Rails do by themselves: a commit writes ahead, and waits for no disk.
ActiveRecord::ConnectionAdapters::SQLite3Adapter.prepend(Module.new do
  def configure_connection
    super
    execute("PRAGMA journal_mode = WAL")
    execute("PRAGMA synchronous = NORMAL")
  end
end)
ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: DATABASE, pool: 8, timeout: 5000)
ActiveRecord::Migration.verbose = false
I18n.load_path += Dir[File.join(Gem::Specification.find_by_name("activerecord").gem_dir, "lib/**/locale/en.yml")]
I18n.load_path += Dir[File.join(Gem::Specification.find_by_name("activemodel").gem_dir, "lib/**/locale/en.yml")]

# Models.

IS_NEW = !ActiveRecord::Base.connection.table_exists?(:courses)
if IS_NEW
  ActiveRecord::Schema.define do
    # A deleted row stays, marked, so that lists of changes can say so.
    row = lambda do |table|
      table.integer :lock_version, null: false, default: 0
      table.datetime :deleted_at, precision: 3
      table.timestamps precision: 3
      table.index :updated_at
    end
    create_table(:courses, id: :string) { |t| t.string :name, null: false; row.call(t) }
    create_table(:memberships) { |t| t.string :course_id, null: false; t.string :user, null: false, index: true }
    create_table(:topics, id: :string) { |t| t.string :course_id, null: false; t.string :title, null: false; row.call(t) }
    create_table(:pages, id: :string) do |t|
      t.string :course_id, null: false
      t.string :title, null: false
      t.text :text, null: false, default: ""
      t.string :edited_by
      row.call(t)
    end
    create_table(:messages, id: :string) do |t|
      t.string :topic_id, null: false
      t.string :author, null: false
      t.text :text, null: false
      t.datetime :written_at, precision: 3, null: false
      row.call(t)
    end
  end
end

class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true
  validates :id, format: { with: /\A[0-9a-f-]{36}\z/, message: "is no UUID" }, on: :create
  # An old client sends none.
  before_validation(on: :create) { self.id ||= SecureRandom.uuid }

  # Who may read and write it.
  def members = course.members
end

# Tells the members what was saved, once it is committed: the whole row, so that nobody has to ask for it.
module Live
  extend ActiveSupport::Concern
  included { after_commit :tell }

  def tell
    event = { type: "update", to: members, uri: { entity: model_name.plural, id: id } }
    PUBLISHER.tell(
      deleted_at ? event.merge(deleted: true, version: lock_version.to_s) : event.merge(attributes: as_json, whole: true))
  end

  # A notification is no object: it is for whoever looks at that moment.
  def notify(names, data)
    PUBLISHER.tell({ type: "notification", to: names, data: data }) if names.any?
  end
end

class Course < ApplicationRecord
  has_many :memberships
  scope :of, ->(user) { where(id: Membership.where(user: user).select(:course_id)) }
  validates :name, presence: true

  def members = @members ||= memberships.order(:user).pluck(:user)
  def serializable_hash(*) = super.merge("members" => members)
end

class Membership < ActiveRecord::Base
end

class Topic < ApplicationRecord
  include Live
  belongs_to :course, optional: false
  FIELDS = %i[course_id title lock_version].freeze
  scope :of, ->(user) { where(course: Course.of(user)) }
  validates :title, presence: true
end

class Page < ApplicationRecord
  include Live
  belongs_to :course, optional: false
  FIELDS = %i[course_id title text lock_version].freeze
  scope :of, ->(user) { where(course: Course.of(user)) }
  validates :title, presence: true
  after_commit :notify_others

  def written_by(user) = self.edited_by = user
  def notify_others = notify(members - [edited_by], about: "page", course: course.name, page: title, by: edited_by)
end

class Message < ApplicationRecord
  include Live
  belongs_to :topic, optional: false
  FIELDS = %i[topic_id text written_at lock_version].freeze
  scope :of, ->(user) { where(topic: Topic.of(user)) }
  validates :text, presence: true, length: { maximum: 4000 }
  before_validation { self.written_at ||= Time.zone.now }
  after_commit :notify_mentioned, on: :create

  def course = topic&.course
  def written_by(user) = self.author ||= user
  def is_open_to(user) = author == user

  def notify_mentioned
    names = text.scan(/@([a-z]+)/).flatten.uniq
    notify(names & members - [author], about: "mention", course: course.name, topic: topic.title, by: author, text: text)
  end
end

if IS_NEW
  PUBLISHER.silently do
    [["Local-first software", %w[anna ben clara]], ["Staff", %w[anna clara]]].each do |name, members|
      course = Course.create!(name: name)
      members.each { |user| Membership.create!(course_id: course.id, user: user) }
      Topic.create!(course: course, title: name == "Staff" ? "Room plan" : "Chapter 4")
    end
    course = Course.find_by(name: "Local-first software")
    Page.create!(course: course, title: "Reading list", text: "Chapter 1: the ideas\nChapter 2: the web\nChapter 3: the cache\n")
  end
end

# What the run before has saved last it may not have told any more. Who knows it already does nothing.
[Topic, Page, Message].each do |model|
  newest = model.maximum(:updated_at)
  model.where("updated_at >= ?", newest - 10).each(&:tell) if newest && !IS_NEW
end

# Controllers.

class ApplicationController < ActionController::API
  wrap_parameters format: [:json]
  before_action { answer 401, error: "the key is not known" unless user }

  rescue_from(ActiveRecord::RecordNotFound) { answer 404, error: "Not Found" }
  rescue_from(ActiveRecord::StaleObjectError) { answer 409, error: "somebody else has saved it meanwhile" }
  rescue_from(ActionController::ParameterMissing, ActionDispatch::Http::Parameters::ParseError) do |error|
    answer 400, error: error.message.lines.first.strip
  end

  # Whole lists have no deleted rows; lists of changes name them.
  def index
    rows = model.of(user).order(:updated_at, :id)
    return render(json: rows.where(deleted_at: nil)) unless params[:updated_since]
    render json: rows.where("#{model.table_name}.updated_at >= ?", Time.zone.parse(params[:updated_since]) || raise(ArgumentError))
  rescue ArgumentError
    answer 400, error: "updated_since is no time"
  end

  def show = render(json: find)

  # What is there already under this identifier is what the first try has made.
  def create
    row = model.new(attributes)
    row.id = fields[:id] if fields[:id].present?
    known = model.of(user).find_by(id: row.id)
    return render(json: known, status: known.deleted_at ? 410 : 200) if known
    return answer(403, error: "you are no member of that course") if row.course && !row.members.include?(user)
    save row, 201
  rescue ActiveRecord::RecordNotUnique
    answer 422, id: ["has already been taken"]
  end

  def update
    row = find
    return unless may_write(row)
    row.assign_attributes(attributes)
    return answer(403, error: "you are no member of that course") if row.course && !row.members.include?(user)
    save row, 200
  end

  def destroy
    row = find
    return unless may_write(row)
    row.lock_version = params[:lock_version] if params[:lock_version]
    row.update!(deleted_at: Time.zone.now)
    head :no_content
  end

  private

  # Keys are compared by their digests, so that the time tells nothing of them.
  def user
    @user ||= begin
      given = request.headers["Authorization"].to_s[/\ABearer (\S+)\z/, 1]
      given && DIGESTS[OpenSSL::Digest::SHA256.digest(given)]
    end
  end
  DIGESTS = KEYS.transform_keys { |key| OpenSSL::Digest::SHA256.digest(key) }.freeze

  def model = controller_name.classify.constantize
  def fields = params.require(model.model_name.singular)
  def attributes = fields.permit(*model::FIELDS)

  def find
    row = model.of(user).find(params[:id])
    raise ActiveRecord::RecordNotFound if row.deleted_at
    row
  end

  def may_write(row)
    return true unless row.respond_to?(:is_open_to) && !row.is_open_to(user)
    answer 403, error: "somebody else has written it"
    false
  end

  def save(row, status)
    row.written_by(user) if row.respond_to?(:written_by)
    return render(json: row.errors.to_hash, status: 422) unless row.save
    exit!(1) if Fault.is_near && status == 201
    render json: row.reload, status: status
  end

  def answer(status, body) = render(json: body, status: status)
end

class TopicsController < ApplicationController; end
class PagesController < ApplicationController; end
class MessagesController < ApplicationController; end

# Who is in a course is the school's to say.
class CoursesController < ApplicationController; end

module Fault
  class << self
    attr_accessor :is_near
  end
end

# Routes and server.

ROUTES = ActionDispatch::Routing::RouteSet.new
ROUTES.draw do
  scope "/api", defaults: { format: "json" } do
    resources :courses, only: %i[index show]
    resources :topics, :pages, :messages, only: %i[index show create update destroy]
  end
end

application = lambda do |env|
  ROUTES.call(env)
rescue StandardError => error
  warn error.full_message(highlight: false)
  [500, { "Content-Type" => "application/json" }, ['{"error":"Internal Server Error"}']]
ensure
  ActiveRecord::Base.clear_active_connections!
end

server = Puma::Server.new(application, Puma::Events.strings, min_threads: 1, max_threads: 6)
listener = server.add_tcp_listener("127.0.0.1", PORT.to_i)
%w[TERM INT].each { |name| Signal.trap(name) { exit!(0) } }
Signal.trap("USR1") { Fault.is_near = true }
puts "http://127.0.0.1:#{listener.addr[1]}/api"
$stdout.flush
server.run.join
