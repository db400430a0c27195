-- wrk: POST /api/v1/orders, a new merchant_order_id each time, as one of the businesses whose keys stand in a file.
-- Arguments: that file, the price in rupees or "varied", and a word that no other round uses.
require("checked")

local heads, price, word, count = {}, nil, "", 0
local tail = '","success_url":"https://shop.example.com/thanks?cart=12345","failure_url":"https://shop.example.com/sorry?cart=12345",'
  .. '"webhook_url":"https://93.184.216.34/hooks/upi","customer":{"name":"Asha Rao","email":"asha@example.com"}}'

function init(args)
  for key in io.lines(args[1]) do
    heads[#heads + 1] = "POST /api/v1/orders HTTP/1.1\r\nHost: pay.example.in\r\nContent-Type: application/json\r\nX-API-Key: "
      .. key .. "\r\nContent-Length: "
  end
  price = tonumber(args[2])
  word = args[3]
end

function request()
  count = count + 1
  local amount = price or math.random(100, 100000000) / 100
  local body = string.format('{"amount":%.2f,"merchant_order_id":"%s-%07d', amount, word, count) .. tail
  return heads[math.random(#heads)] .. #body .. "\r\n\r\n" .. body
end

expect(201)
