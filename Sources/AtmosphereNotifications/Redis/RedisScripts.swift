/// What runs inside of Redis, where nothing comes in between.
///
/// All of a server group's data is in keys that begin with `{PREFIX}`: `:log`, a stream with an entry `e` (epoch), `n`
/// (number), `d` (envelope) and `b` (the bytes of all envelopes before it) for each event; `:state`, a hash with `epoch`,
/// the last number `n`, the bytes of all envelopes `b` and `run`, the identifier of the Redis process that confirmed the
/// epoch; `:id:ID` with the place of an event that was published, and `:pid:PID` with how many connections a client
/// has had, the last of them and who it was, with spaces in between.
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
          redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'run', ARGV[2], 'n', '0', 'b', '0')
          return {ARGV[1], '0'}
        end
        if restarted then redis.call('HSET', KEYS[2], 'run', ARGV[2]) end
        return {epoch, string.format('%.0f', last)}
        """

    /// Appends events that were not published before.
    ///
    /// `KEYS`: log, state, and one for the identifier of each event. `ARGV`: a new epoch, should there be none; this
    /// process of Redis; entries to keep; milliseconds to keep; a word of this attempt; bytes to keep; an envelope for each
    /// event.
    /// Answers the places, each with the word of the attempt that wrote it.
    static let publish = """
        local epoch = redis.call('HGET', KEYS[2], 'epoch')
        if not epoch then
          epoch = ARGV[1]
          redis.call('DEL', KEYS[1])
          redis.call('HSET', KEYS[2], 'epoch', epoch, 'run', ARGV[2], 'n', '0', 'b', '0')
        end
        local places = {}
        local total = tonumber(redis.call('HGET', KEYS[2], 'b') or '0')
        local newest
        for index = 3, #KEYS do
          local place = redis.call('GET', KEYS[index])
          if not place then
            local number = string.format('%.0f', redis.call('HINCRBY', KEYS[2], 'n', 1))
            local envelope = ARGV[index + 4]
            newest = redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[3], '*', 'e', epoch, 'n', number, 'd', envelope,
              'b', string.format('%.0f', total))
            total = total + #envelope
            place = epoch .. '-' .. number .. ' ' .. ARGV[5]
            redis.call('SET', KEYS[index], place, 'PX', ARGV[4])
          end
          places[#places + 1] = place
        end
        local time = redis.call('TIME')
        local oldest = tonumber(time[1]) * 1000 - tonumber(ARGV[4])
        redis.call('XTRIM', KEYS[1], 'MINID', '~', string.format('%.0f', oldest))
        if newest then
          redis.call('HSET', KEYS[2], 'b', string.format('%.0f', total))
          while true do
            local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
            if not first or first[1] == newest then break end
            local fields = first[2]
            if fields[7] == 'b' and total - (tonumber(fields[8]) or 0) <= tonumber(ARGV[6]) then break end
            redis.call('XDEL', KEYS[1], first[1])
          end
        end
        return places
        """

    /// Gives a connection that brings a client's secret the next number, which no other connection has or will have,
    /// and makes the record its own; what older ones still say changes nothing from then on.
    ///
    /// `KEYS`: one for the client's secret. `ARGV`: the user that the connection has shown to be; the connection's name;
    /// of what the asking server knows itself the number, 0 where it knows nothing, the name and who the client is;
    /// milliseconds to keep what is not here.
    /// Answers the record before, nil where there is none, or one of another user.
    static let claim = """
        local now = redis.call('GET', KEYS[1])
        local number, name, value, number_known = 0, '', '', tonumber(ARGV[3])
        if now then
          number, name, value = string.match(now, '^(%d+) (%S+) (.*)$')
          number = tonumber(number)
          if not number or number >= 4503599627370495 then return false end
          local is_read, members = pcall(cjson.decode, value)
          if not is_read or type(members) ~= 'table' or members['user'] ~= ARGV[1] then return false end
        elseif number_known == 0 then
          return false
        end
        if number_known > number or (number_known == number and name == ARGV[4]) then
          number, name, value = number_known, ARGV[4], ARGV[5]
        end
        local mine = string.format('%.0f', number + 1) .. ' ' .. ARGV[2] .. ' ' .. value
        if now then
          redis.call('SET', KEYS[1], mine, 'KEEPTTL')
        else
          redis.call('SET', KEYS[1], mine, 'PX', ARGV[6])
        end
        return string.format('%.0f', number) .. ' ' .. name .. ' ' .. value
        """

    /// Keeps who a client is, unless a younger connection of it has said so since.
    ///
    /// `KEYS`: one for the client's secret. `ARGV`: 1 where the connection has just begun; its number; its name; who the
    /// client is; milliseconds to keep, 0 where it is to be forgotten.
    static let remember = """
        local now = redis.call('GET', KEYS[1])
        if now then
          local number, name = string.match(now, '^(%d+) (%S+) ')
          local difference = (tonumber(number) or 0) - tonumber(ARGV[2])
          if difference > 0 or (difference == 0 and ARGV[1] ~= '1' and name ~= ARGV[3]) then return 0 end
        end
        if ARGV[5] == '0' then
          redis.call('DEL', KEYS[1])
        else
          redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. ARGV[4], 'PX', ARGV[5])
        end
        return 1
        """
}
