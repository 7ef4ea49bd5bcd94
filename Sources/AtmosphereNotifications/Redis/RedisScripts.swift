/// What runs inside of Redis, where nothing comes in between.
///
/// All of a server group's data is in keys that begin with `{PREFIX}`: `:log`, a stream with an entry `e` (epoch), `n`
/// (number) and `d` (envelope) for each event; `:state`, a hash with `epoch`, the last number `n` and `run`, the
/// identifier of the Redis process that confirmed the epoch; `:id:ID` with the place of an event that was published, and
/// `:pid:PID` with who a client was.
enum RedisScripts {
    /// Finds the epoch, or begins a new one where Redis has forgotten, or may have.
    ///
    /// `KEYS`: log, state. `ARGV`: a new epoch; this process of Redis; 1 where a restart loses nothing; the epoch and the
    /// last number that the asking server has seen.
    static let begin = """
        local epoch = redis.call('HGET', KEYS[2], 'epoch')
        local run = redis.call('HGET', KEYS[2], 'run')
        local last = tonumber(redis.call('HGET', KEYS[2], 'n') or '0')
        local restarted = run ~= ARGV[2]
        if not epoch or (restarted and ARGV[3] ~= '1') or (epoch == ARGV[4] and last < tonumber(ARGV[5])) then
          redis.call('DEL', KEYS[1])
          redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'run', ARGV[2], 'n', '0')
          return {ARGV[1], '0'}
        end
        if restarted then redis.call('HSET', KEYS[2], 'run', ARGV[2]) end
        return {epoch, string.format('%.0f', last)}
        """

    /// Appends events that were not published before.
    ///
    /// `KEYS`: log, state, and one for the identifier of each event. `ARGV`: a new epoch, should there be none; this
    /// process of Redis; entries to keep; milliseconds to keep; a word of this attempt; an envelope for each event.
    /// Answers the places, each with the word of the attempt that wrote it.
    static let publish = """
        local epoch = redis.call('HGET', KEYS[2], 'epoch')
        if not epoch then
          epoch = ARGV[1]
          redis.call('DEL', KEYS[1])
          redis.call('HSET', KEYS[2], 'epoch', epoch, 'run', ARGV[2], 'n', '0')
        end
        local places = {}
        for index = 3, #KEYS do
          local place = redis.call('GET', KEYS[index])
          if not place then
            local number = string.format('%.0f', redis.call('HINCRBY', KEYS[2], 'n', 1))
            redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'e', epoch, 'n', number, 'd', ARGV[index + 3])
            place = epoch .. '-' .. number .. ' ' .. ARGV[5]
            redis.call('SET', KEYS[index], place, 'PX', ARGV[4])
          end
          places[#places + 1] = place
        end
        local time = redis.call('TIME')
        local oldest = tonumber(time[1]) * 1000 - tonumber(ARGV[4])
        redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', oldest))
        return places
        """
}
