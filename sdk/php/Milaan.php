<?php
/**
 * The merchant's side of Milaan for PHP 7.4 and newer: one file, no dependencies.
 *
 *     require_once 'Milaan.php';
 *     $milaan = new Milaan\Milaan('https://pay.example.in', getenv('MILAAN_API_KEY'));
 *     $order = $milaan->createOrder(['amount' => 499, 'merchant_order_id' => 'order-1042', …]);
 *
 * Orders and filters are arrays with the API's names. Amounts are rupees, times are ISO 8601 in UTC.
 */

namespace Milaan;

// Two plugins on one site may each include this file.
if (!class_exists(Milaan::class, false)) :

/** A failed call. `$code` says why; the other fields are set if the service sent them. */
final class MilaanError extends \RuntimeException
{
    /** @var string Such as order_not_found; network_error, timeout and unexpected_answer are the client's own. */
    public $code;
    /** The HTTP status; null when there was no answer. */
    public ?int $status;
    /** The exact fault in the request. */
    public ?string $details;
    /** The documentation of this code. */
    public ?string $docUrl;
    /** The page for changing the plan (402). */
    public ?string $upgradeUrl;
    /** The plan's monthly limit and what was collected, in paise (402 plan_limit_reached). */
    public ?int $limitPaise;
    public ?int $collectedPaise;
    /** The service asks for this pause in seconds (429, 503). */
    public ?int $retryAfter;
    /** Give it to the operator if you ask about this call. */
    public ?string $requestId;
    /** How often the call was tried. */
    public int $attempts;

    public function __construct(string $code, string $message, array $facts = [], ?\Throwable $cause = null)
    {
        parent::__construct($message, 0, $cause);
        $this->code = $code;
        $this->status = $facts['status'] ?? null;
        $this->details = $facts['details'] ?? null;
        $this->docUrl = $facts['docUrl'] ?? null;
        $this->upgradeUrl = $facts['upgradeUrl'] ?? null;
        $this->limitPaise = $facts['limitPaise'] ?? null;
        $this->collectedPaise = $facts['collectedPaise'] ?? null;
        $this->retryAfter = $facts['retryAfter'] ?? null;
        $this->requestId = $facts['requestId'] ?? null;
        $this->attempts = $facts['attempts'] ?? 0;
    }
}

/** The request is not from Milaan, not recent, or was changed. Answer 400 and do nothing. */
final class WebhookRefused extends \RuntimeException
{
    /** missing_header, malformed_header, too_old, too_new, wrong_signature or malformed_body. */
    public string $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }
}

final class Milaan
{
    const VERSION = '0.2.0';

    private const PATH = '/api/v1/orders';
    private const DEFAULTS = ['timeoutMs' => 10000, 'retries' => 3, 'longestPauseMs' => 5000, 'fetch' => null];
    private const FIRST_PAUSE_MS = 250;
    /** These statuses are temporary, and every call may be repeated. */
    private const PASSING = [408, 429, 502, 503, 504];
    /** The sender measures its limit with another clock than ours. */
    private const CLOCKS_DIFFER_MS = 5;
    private const TOLERANCE = 300;
    /** A sender makes one signature per secret. More than a handful only costs computing time. */
    private const MOST_SIGNATURES = 10;

    private string $baseUrl;
    private string $apiKey;
    private array $options;

    /**
     * @param string $baseUrl The address of the installation, such as https://pay.example.in.
     * @param string $apiKey  From the Integrations screen. Keep it on your server.
     * @param array  $options timeoutMs: the longest one attempt may take. retries: how often a temporary failure
     *     is retried. longestPauseMs: the longest pause before a retry. fetch: your own function for
     *     requests, fn(string $method, string $url, array $headers, ?string $body, int $timeoutMs): array with status,
     *     headers (by lower-case name) and body; it throws when there is no answer and follows no redirect.
     */
    public function __construct(string $baseUrl, string $apiKey, array $options = [])
    {
        $this->baseUrl = self::usableUrl($baseUrl);
        $this->apiKey = trim($apiKey);
        if (!preg_match('/^[\x21-\x7e]+$/D', $this->apiKey)) {
            throw new \InvalidArgumentException('Milaan: apiKey is missing or not an API key');
        }
        $this->options = self::usableOptions($options);
    }

    /**
     * Creates an order. Safe to repeat: a merchant_order_id that was used before returns its order, with
     * idempotent_replay true and its present status.
     */
    public function createOrder(array $order): array
    {
        return $this->ask('POST', self::PATH, $order);
    }

    /** An order by its service id (ML-…). Throws a MilaanError with code order_not_found when there is none. */
    public function getOrder(string $orderId): array
    {
        // An empty id would request the list and return something that is no order.
        if ($orderId === '') {
            throw new \InvalidArgumentException('Milaan: orderId is empty');
        }
        return $this->ask('GET', self::PATH . '/' . rawurlencode($orderId));
    }

    /** One page of orders, newest first: data, has_more, next_cursor. Filter: status, merchant_order_id, limit, cursor. */
    public function listOrders(array $filter = []): array
    {
        $query = http_build_query($filter, '', '&', PHP_QUERY_RFC3986);
        return $this->ask('GET', $query === '' ? self::PATH : self::PATH . '?' . $query);
    }

    /** All orders, newest first, page after page: foreach ($milaan->orders(['status' => 'paid']) as $order). */
    public function orders(array $filter = []): \Generator
    {
        do {
            $page = $this->listOrders($filter);
            foreach ($page['data'] as $order) {
                yield $order;
            }
            $filter['cursor'] = $page['next_cursor'] ?? null;
        } while ($page['has_more'] && $filter['cursor'] !== null);
    }

    /**
     * Asks for every order that is pending in your books. Each of $pending has merchant_order_id, and order_id if you
     * know it; your own id finds a create that got no answer. Yields merchant_order_id with order, or with error for a
     * failed call, which stops nothing. If both are null, the create never arrived.
     */
    public function reconcile(iterable $pending): \Generator
    {
        foreach ($pending as $one) {
            $found = ['merchant_order_id' => $one['merchant_order_id'], 'order' => null, 'error' => null];
            try {
                $found['order'] = $this->find($one['order_id'] ?? null, $one['merchant_order_id']);
            } catch (MilaanError $error) {
                $found['error'] = $error;
            }
            yield $found;
        }
    }

    /**
     * Verifies a webhook (Standard Webhooks: HMAC-SHA256 over id.timestamp.body) and returns its event: id, type,
     * timestamp, data. Throws WebhookRefused. Types: payment.paid, payment.review and payment.unmatched if the
     * owner wants them, webhook.test. Answer 2xx to types that you do not know.
     *
     * @param string          $rawBody The bytes as they arrived, file_get_contents('php://input').
     * @param array           $headers $_SERVER, or names and values.
     * @param string|string[] $secret  During a rotation the service signs with both.
     * @param array           $options tolerance: seconds by which the clocks may differ. now: Unix time.
     */
    public static function verifyWebhook(string $rawBody, array $headers, $secret, array $options = []): array
    {
        $keys = array_map([self::class, 'secretKey'], is_array($secret) ? $secret : [$secret]);
        if ($keys === []) {
            throw new \InvalidArgumentException('Milaan: no webhook secret given');
        }
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        $signatures = self::signatures(self::header($headers, 'webhook-signature'));
        self::checkTime($timestamp, $options['tolerance'] ?? self::TOLERANCE, $options['now'] ?? time());
        $genuine = false;
        foreach ($keys as $key) {
            $expected = hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true);
            foreach ($signatures as $signature) {
                $genuine = hash_equals($expected, $signature) || $genuine;
            }
        }
        if (!$genuine) {
            throw new WebhookRefused('wrong_signature', 'no signature fits the body and the secret');
        }
        $event = self::jsonObject($rawBody);
        if ($event === null || !is_string($event['type'] ?? null)) {
            throw new WebhookRefused('malformed_body', 'the body is not an event in JSON');
        }
        return ['id' => $id, 'type' => $event['type'], 'timestamp' => $event['timestamp'] ?? null, 'data' => $event['data'] ?? null];
    }

    /**
     * One-click connect: send the owner's browser to `url`, and keep the rest on your server until it returns.
     *
     * @param array $shop shop_name, return_url and webhook_url, the two on one host.
     */
    public static function startConnect(string $baseUrl, array $shop): array
    {
        $baseUrl = self::usableUrl($baseUrl);
        $state = bin2hex(random_bytes(16));
        $verifier = self::base64Url(random_bytes(32));
        $query = http_build_query([
            'shop_name' => $shop['shop_name'],
            'return_url' => $shop['return_url'],
            'webhook_url' => $shop['webhook_url'],
            'state' => $state,
            'code_challenge' => self::base64Url(hash('sha256', $verifier, true)),
            'code_challenge_method' => 'S256',
        ], '', '&', PHP_QUERY_RFC3986);
        return [
            'url' => "$baseUrl/connect?$query",
            'base_url' => $baseUrl,
            'return_url' => $shop['return_url'],
            'state' => $state,
            'code_verifier' => $verifier,
        ];
    }

    /**
     * Call it when the owner's browser is back. $kept is startConnect's result (delete it first), $query is $_GET.
     * Returns api_key, webhook_secret, payment_account_id, business_name, mode, base_url, connection_id. Throws a
     * MilaanError with code access_denied if the owner refused, wrong_state if this is no answer to your request.
     */
    public static function finishConnect(array $kept, array $query, array $options = []): array
    {
        $given = static fn (string $name): string => is_string($query[$name] ?? null) ? $query[$name] : '';
        if ($kept['state'] === '' || !hash_equals($kept['state'], $given('state'))) {
            throw new MilaanError('wrong_state', 'this is not the answer to the question that was asked; connect again');
        }
        if (rtrim($given('iss'), '/') !== $kept['base_url']) {
            throw new MilaanError('wrong_state', "the answer is from {$given('iss')} and not from {$kept['base_url']}");
        }
        if ($given('error') !== '') {
            throw new MilaanError($given('error'), 'the owner did not agree');
        }
        $body = ['code' => $given('code'), 'code_verifier' => $kept['code_verifier'], 'return_url' => $kept['return_url']];
        // Never retried: a repeated code ends the connection that it made.
        $options = ['retries' => 0] + self::usableOptions($options);
        return self::call($kept['base_url'], [], $options, 'POST', '/connect/token', $body);
    }

    private function ask(string $method, string $path, ?array $body = null): array
    {
        return self::call($this->baseUrl, ['X-API-Key' => $this->apiKey], $this->options, $method, $path, $body);
    }

    private function find(?string $orderId, string $merchantOrderId): ?array
    {
        if ($orderId === null || $orderId === '') {
            return $this->listOrders(['merchant_order_id' => $merchantOrderId, 'limit' => 1])['data'][0] ?? null;
        }
        return $this->getOrder($orderId);
    }

    /** One call with a time limit, retried if that is safe and useful. */
    private static function call(string $baseUrl, array $headers, array $options, string $method, string $path, ?array $body): array
    {
        $headers += ['Accept' => 'application/json'];
        $text = null;
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
            // Before any attempt: a value that cannot be encoded is the caller's mistake, not the network's.
            $text = json_encode($body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
        }
        for ($attempts = 1; ; $attempts++) {
            try {
                return self::attempt($options, $method, $baseUrl . $path, $headers, $text, $attempts);
            } catch (MilaanError $error) {
                $pause = self::retryPause($error, $options);
                if ($pause === null) {
                    throw $error;
                }
                usleep((int) ($pause * 1000));
            }
        }
    }

    private static function attempt(array $options, string $method, string $url, array $headers, ?string $body, int $attempts): array
    {
        $limit = $options['timeoutMs'];
        $fetch = $options['fetch'] ?? (function_exists('curl_init') ? [self::class, 'fetchByCurl'] : [self::class, 'fetchByStream']);
        $started = microtime(true);
        try {
            $answer = $fetch($method, $url, $headers, $body, $limit);
        } catch (\Throwable $cause) {
            $isLate = (microtime(true) - $started) * 1000 >= $limit - self::CLOCKS_DIFFER_MS;
            throw $isLate
                ? new MilaanError('timeout', "no answer within $limit ms", ['attempts' => $attempts], $cause)
                : new MilaanError('network_error', preg_replace('~^(\w+://[^/]*).*~s', '$1', $url) . ' could not be reached: ' . $cause->getMessage(), ['attempts' => $attempts], $cause);
        }
        $value = self::jsonObject($answer['body']);
        if ($answer['status'] >= 200 && $answer['status'] < 300 && $value !== null) {
            return $value;
        }
        throw self::errorFrom($answer['status'], $answer['headers'], $value, $attempts);
    }

    private static function errorFrom(int $status, array $headers, ?array $body, int $attempts): MilaanError
    {
        $after = trim((string) ($headers['retry-after'] ?? ''));
        $facts = [
            'status' => $status,
            'attempts' => $attempts,
            'requestId' => $headers['x-request-id'] ?? null,
            // A date is not parsed, because the service sends seconds and clocks differ.
            'retryAfter' => preg_match('/^\d{1,6}$/D', $after) ? (int) $after : null,
        ];
        if ($status < 400 || !is_string($body['error'] ?? null)) {
            // A proxy's error page, a captive portal, or the base URL of another service.
            return new MilaanError('unexpected_answer', "the answer (HTTP $status) is not one of Milaan's; check baseUrl and what stands between", $facts);
        }
        $text = static fn (string $name): ?string => is_string($body[$name] ?? null) ? $body[$name] : null;
        $number = static fn (string $name): ?int => is_int($body[$name] ?? null) ? $body[$name] : null;
        $facts += [
            'details' => $text('details'),
            'docUrl' => $text('doc_url'),
            'upgradeUrl' => $text('upgrade_url'),
            'limitPaise' => $number('limit_paise'),
            'collectedPaise' => $number('collected_paise'),
        ];
        $message = $text('message') ?? $body['error'];
        if ($facts['details'] !== null && strpos($message, $facts['details']) === false) {
            $message .= ' ' . $facts['details'];
        }
        return new MilaanError($body['error'], $message, $facts);
    }

    /** Milliseconds until the next attempt, or null if there is none. */
    private static function retryPause(MilaanError $error, array $options): ?float
    {
        $passes = in_array($error->code, ['network_error', 'timeout'], true) || in_array($error->status, self::PASSING, true);
        if ($error->attempts > $options['retries'] || !$passes) {
            return null;
        }
        $random = mt_rand() / mt_getrandmax();
        if ($error->retryAfter !== null) {
            $asked = $error->retryAfter * 1000;
            // A random delay on top, so that clients refused together do not return together.
            return $asked <= $options['longestPauseMs'] ? $asked + self::FIRST_PAUSE_MS * $random : null;
        }
        return min($options['longestPauseMs'], self::FIRST_PAUSE_MS * 2 ** $error->attempts) * (0.5 + 0.5 * $random);
    }

    private static function fetchByCurl(string $method, string $url, array $headers, ?string $body, int $timeoutMs): array
    {
        $received = [];
        $request = curl_init($url);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_merge(self::headerLines($headers), ['Expect:']),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => $timeoutMs,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            // The API never redirects; following a redirect would carry the key to another host.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                $received[] = $line;
                return strlen($line);
            },
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]));
        $text = curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($text === false) {
            throw new \RuntimeException(curl_error($request));
        }
        return ['status' => $status, 'headers' => self::readHeaders($received), 'body' => $text];
    }

    private static function fetchByStream(string $method, string $url, array $headers, ?string $body, int $timeoutMs): array
    {
        $until = microtime(true) + $timeoutMs / 1000;
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => [
            'method' => $method,
            'header' => array_merge(self::headerLines($headers), ['Connection: close']),
            'content' => (string) $body,
            'timeout' => $timeoutMs / 1000,
            'ignore_errors' => true,
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ]]));
        if ($stream === false) {
            throw new \RuntimeException(error_get_last()['message'] ?? 'no connection');
        }
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        $text = '';
        // A blocking read has its own time limit, which an answer that drips would never reach.
        stream_set_blocking($stream, false);
        while (!feof($stream)) {
            if (microtime(true) >= $until) {
                throw new \RuntimeException('the answer took too long');
            }
            $part = (string) fread($stream, 65536);
            $text .= $part;
            if ($part === '') {
                usleep(5000);
            }
        }
        fclose($stream);
        return ['status' => (int) (explode(' ', $lines[0])[1] ?? 0), 'headers' => self::readHeaders($lines), 'body' => $text];
    }

    private static function headerLines(array $headers): array
    {
        return array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($headers), $headers);
    }

    private static function readHeaders(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
            $headers[strtolower(trim($name))] = trim($value);
        }
        return $headers;
    }

    private static function jsonObject(string $text): ?array
    {
        $value = json_decode($text, true);
        return is_array($value) && ltrim($text)[0] === '{' ? $value : null;
    }

    private static function usableUrl(string $baseUrl): string
    {
        $parts = parse_url(trim($baseUrl));
        if (!isset($parts['host']) || !in_array(strtolower($parts['scheme'] ?? ''), ['http', 'https'], true)) {
            throw new \InvalidArgumentException('Milaan: baseUrl must be an address such as https://pay.example.in');
        }
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        return strtolower("{$parts['scheme']}://{$parts['host']}$port") . rtrim($parts['path'] ?? '', '/');
    }

    private static function usableOptions(array $options): array
    {
        foreach (['timeoutMs', 'retries', 'longestPauseMs'] as $name) {
            if (isset($options[$name]) && (!is_int($options[$name]) || $options[$name] < 0)) {
                throw new \InvalidArgumentException("Milaan: $name must be a whole number, 0 or more");
            }
        }
        return $options + self::DEFAULTS;
    }

    private static function secretKey($secret): string
    {
        $key = is_string($secret) ? base64_decode(preg_replace('/^whsec_/', '', trim($secret)), true) : false;
        // Anybody could sign with an empty key.
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('Milaan: the webhook secret must be the whole text that begins with whsec_');
        }
        return $key;
    }

    /** Finds a header by its name, or in $_SERVER, which calls it HTTP_WEBHOOK_ID. */
    private static function header(array $headers, string $wanted): string
    {
        $values = [];
        foreach ($headers as $name => $value) {
            if (strtolower((string) $name) === $wanted || $name === 'HTTP_' . strtoupper(strtr($wanted, '-', '_'))) {
                $values = array_merge($values, array_values((array) $value));
            }
        }
        if (count($values) > 1) {
            throw new WebhookRefused('malformed_header', "$wanted was sent more than once");
        }
        if ((string) ($values[0] ?? '') === '') {
            throw new WebhookRefused('missing_header', "there is no $wanted header");
        }
        return (string) $values[0];
    }

    /** v1,<base64>, several separated by spaces; other versions are skipped. */
    private static function signatures(string $header): array
    {
        $given = array_filter(explode(' ', $header), static fn (string $part): bool => strncmp($part, 'v1,', 3) === 0);
        if (count($given) > self::MOST_SIGNATURES) {
            throw new WebhookRefused('malformed_header', 'too many signatures');
        }
        return array_map(static fn (string $part): string => (string) base64_decode(substr($part, 3), true), $given);
    }

    private static function checkTime(string $timestamp, int $tolerance, int $now): void
    {
        if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
            throw new WebhookRefused('malformed_header', 'webhook-timestamp is not a whole number of seconds');
        }
        $age = $now - (int) $timestamp;
        if ($age > $tolerance) {
            throw new WebhookRefused('too_old', "signed $age seconds ago");
        }
        if (-$age > $tolerance) {
            throw new WebhookRefused('too_new', 'signed ' . -$age . ' seconds ahead of our clock');
        }
    }

    private static function base64Url(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}

endif;
