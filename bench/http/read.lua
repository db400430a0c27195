-- wrk: GET one of the paths that stand in a file, each line a path, and behind a space the key where it needs one.
-- Argument: that file.
require("checked")

local requests = {}

function init(args)
  for line in io.lines(args[1]) do
    local path, key = line:match("^(%S+) ?(%S*)$")
    requests[#requests + 1] = "GET " .. path .. " HTTP/1.1\r\nHost: pay.example.in\r\n"
      .. (key ~= "" and "X-API-Key: " .. key .. "\r\n" or "") .. "\r\n"
  end
end

function request()
  return requests[math.random(#requests)]
end

expect(200)
