<?php

namespace Milaan\Woo;

use Milaan\Milaan;
use Milaan\MilaanError;

defined('ABSPATH') || exit;

/** Long enough to sign in and read; the stored values are worthless afterwards. */
const CONNECT_MINUTES = 30;

function start_connecting(): void
{
    require_shop_manager();
    check_admin_referer('milaan_connection', 'milaan_nonce');
    $address = usable_address((string) wp_unslash($_POST['milaan_address'] ?? ''));
    if ($address === null) {
        back_to_settings([['error', __('Please give the address of your Milaan, such as https://pay.example.in. It begins with https://, because the key travels over it.', 'milaan-upi')]]);
    }
    if (($_GET['what'] ?? '') === 'by-hand') {
        connect_by_hand($address);
    }
    try {
        $kept = Milaan::startConnect($address, [
            'shop_name' => mb_substr(wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES) ?: (string) wp_parse_url(home_url(), PHP_URL_HOST), 0, 60),
            'return_url' => admin_url('admin-post.php?action=milaan_connected'),
            'webhook_url' => webhook_url(),
        ]);
    } catch (\InvalidArgumentException $problem) {
        back_to_settings([['error', $problem->getMessage()]]);
    }
    set_transient('milaan_connecting_' . get_current_user_id(), $kept, CONNECT_MINUTES * MINUTE_IN_SECONDS);
    // The safe redirect would refuse it, but this button must lead to the typed address.
    wp_redirect($kept['url']);
    exit;
}

/** The address as typed; without encryption only to this machine. Null if it cannot be an address. */
function usable_address(string $typed): ?string
{
    $typed = trim($typed);
    $address = untrailingslashit(esc_url_raw(preg_match('#^https?://#i', $typed) ? $typed : "https://$typed", ['http', 'https']));
    $host = (string) wp_parse_url($address, PHP_URL_HOST);
    $is_here = in_array($host, ['localhost', '127.0.0.1'], true);
    return $typed !== '' && $host !== '' && ($is_here || stripos($address, 'https://') === 0) ? $address : null;
}

/** The owner agreed or refused, and is back. */
function finish_connecting(): void
{
    require_shop_manager();
    $kept = get_transient('milaan_connecting_' . get_current_user_id());
    // Deleted before the exchange, so that a reloaded page exchanges nothing twice.
    delete_transient('milaan_connecting_' . get_current_user_id());
    if (!is_array($kept)) {
        back_to_settings([['error', __('That took too long, or was done already. Please connect again.', 'milaan-upi')]]);
    }
    try {
        $connection = Milaan::finishConnect($kept, wp_unslash($_GET), ['fetch' => __NAMESPACE__ . '\ask']);
    } catch (MilaanError $error) {
        $said_no = $error->code === 'access_denied';
        back_to_settings([[
            $said_no ? 'warning' : 'error',
            $said_no
                ? __('Not connected: it was declined in Milaan.', 'milaan-upi')
                /* translators: %s: what went wrong */
                : sprintf(__('Not connected: %s. Please connect again.', 'milaan-upi'), rtrim($error->getMessage(), '.')),
        ]]);
    }
    take_connection($connection['mode'], $connection);
}

/** For an installation that cannot send the browser back here. */
function connect_by_hand(string $address): void
{
    $key = trim((string) wp_unslash($_POST['milaan_key'] ?? ''));
    $secret = trim((string) wp_unslash($_POST['milaan_secret'] ?? ''));
    if (!preg_match('/^ml_(live|test)_[A-Za-z0-9]+$/D', $key, $found) || !preg_match('#^whsec_[A-Za-z0-9+/=]+$#D', $secret)) {
        back_to_settings([['error', __('Please give the whole API key (ml_live_… or ml_test_…) and the whole webhook secret (whsec_…).', 'milaan-upi')]]);
    }
    take_connection($found[1] === 'test' ? 'sandbox' : 'live', [
        'base_url' => $address,
        'api_key' => $key,
        'webhook_secret' => $secret,
        'payment_account_id' => '',
        'business_name' => '',
    ]);
}

function take_connection(string $mode, array $connection): void
{
    keep_connection($mode, array_intersect_key($connection, array_flip(['base_url', 'api_key', 'webhook_secret', 'payment_account_id', 'business_name'])));
    update_option(SETTINGS_OPTION, ['mode' => $mode, 'enabled' => 'yes'] + get_option(SETTINGS_OPTION, []));
    back_to_settings(array_merge(
        [['success', $mode === 'live' ? __('Connected. Customers can pay by UPI now.', 'milaan-upi') : __('Connected with the sandbox: try it; no money moves.', 'milaan-upi')]],
        test_connection($mode)
    ));
}

function disconnect(): void
{
    require_shop_manager();
    check_admin_referer('milaan_connection', 'milaan_nonce');
    $mode = ($_GET['what'] ?? '') === 'sandbox' ? 'sandbox' : 'live';
    keep_connection($mode, null);
    back_to_settings([['success', __('Disconnected. The key was forgotten here; end the connection on Milaan\'s Integrations screen too.', 'milaan-upi')]]);
}
