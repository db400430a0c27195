<?php

namespace Milaan\Woo;

use Milaan\Milaan;

defined('ABSPATH') || exit;

/** The connections for 'live' and 'sandbox': base_url, api_key, webhook_secret, payment_account_id, business_name. */
const CONNECTIONS_OPTION = 'milaan_connections';
const SETTINGS_OPTION = 'woocommerce_' . METHOD . '_settings';
const MODES = ['live', 'sandbox'];
const LONGEST_ANSWER = 1024 * 1024;

function setting(string $name, string $default = ''): string
{
    $settings = get_option(SETTINGS_OPTION, []);
    return (string) ($settings[$name] ?? $default);
}

function mode(): string
{
    return setting('mode', 'live') === 'sandbox' ? 'sandbox' : 'live';
}

function connection(string $mode): ?array
{
    $connections = get_option(CONNECTIONS_OPTION, []);
    return $connections[$mode] ?? null;
}

function keep_connection(string $mode, ?array $connection): void
{
    $connections = get_option(CONNECTIONS_OPTION, []);
    unset($connections[$mode]);
    // Not loaded with every page, because it contains the key.
    update_option(CONNECTIONS_OPTION, $connection === null ? $connections : $connections + [$mode => $connection], false);
}

/** Few retries, because a customer or a webhook's sender waits; more if nobody waits. */
function client(array $connection, int $retries = 1): Milaan
{
    return new Milaan($connection['base_url'], $connection['api_key'], [
        'timeoutMs' => 8000,
        'retries' => $retries,
        'longestPauseMs' => 2000,
        'fetch' => __NAMESPACE__ . '\ask',
    ]);
}

/** Uses WordPress's own requests, so that the site's proxy or block also applies to us. */
function ask(string $method, string $url, array $headers, ?string $body, int $timeout_ms): array
{
    $answer = wp_remote_request($url, [
        'method' => $method,
        'headers' => $headers,
        'body' => $body,
        'timeout' => max(1, $timeout_ms / 1000),
        // The API never redirects; following a redirect would carry the key to another host.
        'redirection' => 0,
        'limit_response_size' => LONGEST_ANSWER,
    ]);
    if (is_wp_error($answer)) {
        throw new \RuntimeException($answer->get_error_message());
    }
    $kept = [];
    foreach (wp_remote_retrieve_headers($answer) as $name => $value) {
        $kept[strtolower($name)] = is_array($value) ? implode(', ', $value) : (string) $value;
    }
    return [
        'status' => (int) wp_remote_retrieve_response_code($answer),
        'headers' => $kept,
        'body' => wp_remote_retrieve_body($answer),
    ];
}

function webhook_url(): string
{
    return add_query_arg('wc-api', METHOD, home_url('/'));
}

function settings_url(): string
{
    return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . METHOD);
}

function log_line(string $level, string $line): void
{
    wc_get_logger()->log($level, $line, ['source' => METHOD]);
}
