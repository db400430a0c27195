-- Counts every answer whose status is another than the expected one, and ends with one line of JSON.
-- PACE: so many milliseconds, on average, a connection waits before it asks again; none where it is not set.
local threads = {}
local pace = tonumber(os.getenv("PACE"))

if pace then
  function delay() return math.random(0, 2 * pace) end
end

function setup(thread)
  threads[#threads + 1] = thread
end

function expect(status)
  unexpected = 0
  function response(given)
    if given ~= status then unexpected = unexpected + 1 end
  end
end

function done(summary, latency)
  local wrong = 0
  for _, thread in ipairs(threads) do wrong = wrong + thread:get("unexpected") end
  local errors = summary.errors
  io.write(string.format('\n{"answers":%d,"seconds":%f,"unexpected":%d,"broken":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, wrong,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
