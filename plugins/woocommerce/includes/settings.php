<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

function settings_fields(): array
{
    return [
        'enabled' => [
            'title' => __('Offer it', 'milaan-upi'),
            'type' => 'checkbox',
            'label' => __('Show UPI in the checkout', 'milaan-upi'),
            'default' => 'yes',
        ],
        'mode' => [
            'title' => __('Money', 'milaan-upi'),
            'type' => 'select',
            'options' => ['live' => __('Live: real payments', 'milaan-upi'), 'sandbox' => __('Sandbox: to try it, no money', 'milaan-upi')],
            'description' => __('In the sandbox only people who manage this shop see UPI in the checkout, so that nobody gets goods for play money.', 'milaan-upi'),
            'default' => 'live',
        ],
        'display' => [
            'title' => __('Where customers pay', 'milaan-upi'),
            'type' => 'select',
            'options' => ['page' => __('On Milaan\'s payment page (fits every theme)', 'milaan-upi'), 'widget' => __('In this shop, after the checkout', 'milaan-upi')],
            'default' => 'page',
        ],
        'title' => [
            'title' => __('Name in the checkout', 'milaan-upi'),
            'type' => 'text',
            'default' => __('UPI (any app)', 'milaan-upi'),
        ],
        'description' => [
            'title' => __('Words below it', 'milaan-upi'),
            'type' => 'textarea',
            'default' => __('Scan a QR code with any UPI app. Please pay the exact amount shown, paise included, within 5 minutes.', 'milaan-upi'),
        ],
    ];
}

/** Play money buys nothing. In the sandbox only the shop's staff see the method, or everybody on a test site. */
function may_pay_in(string $mode): bool
{
    return $mode === 'live' || current_user_can('manage_woocommerce')
        || (defined('MILAAN_SANDBOX_FOR_EVERYBODY') && MILAAN_SANDBOX_FOR_EVERYBODY);
}

/** The settings' upper part: whether the shop is connected, to whom, and whether it works. */
function show_connection(): void
{
    $told = get_transient('milaan_told_' . get_current_user_id());
    delete_transient('milaan_told_' . get_current_user_id());
    foreach (is_array($told) ? $told : [] as [$kind, $words]) {
        printf('<div class="notice notice-%s inline"><p>%s</p></div>', esc_attr($kind), esc_html($words));
    }
    if (get_woocommerce_currency() !== 'INR') {
        /* translators: %s: a currency such as USD */
        printf('<div class="notice notice-warning inline"><p>%s</p></div>', esc_html(sprintf(__('UPI pays in Indian rupees only, and this shop sells in %s. Customers will not see it until the currency is INR.', 'milaan-upi'), get_woocommerce_currency())));
    }
    wp_nonce_field('milaan_connection', 'milaan_nonce', false);
    echo '<h2>' . esc_html__('Connection to Milaan', 'milaan-upi') . '</h2>';
    $address = '';
    foreach (MODES as $mode) {
        $connection = connection($mode);
        if ($connection === null) {
            continue;
        }
        $address = $address ?: $connection['base_url'];
        $name = $mode === 'live' ? __('Live', 'milaan-upi') : __('Sandbox', 'milaan-upi');
        /* translators: 1: Live or Sandbox, 2: name of the business, 3: address of Milaan */
        printf('<p><strong>%s</strong></p><p class="submit">', esc_html(sprintf(__('%1$s: connected with %2$s at %3$s', 'milaan-upi'), $name, $connection['business_name'] ?: '–', $connection['base_url'])));
        show_button('milaan_test', __('Test', 'milaan-upi'), 'button', $mode);
        show_button('milaan_disconnect', __('Disconnect', 'milaan-upi'), 'button', $mode);
        echo '</p>';
    }
    printf(
        '<p><label for="milaan_address">%s</label><br><input type="url" id="milaan_address" name="milaan_address" class="regular-text" value="%s" placeholder="https://pay.example.in"></p><p class="submit">',
        esc_html__('Address of your Milaan', 'milaan-upi'),
        esc_attr($address)
    );
    $address === ''
        ? show_button('milaan_connect', __('Connect', 'milaan-upi'), 'button button-primary')
        : show_button('milaan_connect', __('Connect again', 'milaan-upi'), 'button');
    echo '</p><details><summary>' . esc_html__('Connect by hand, with a key', 'milaan-upi') . '</summary>';
    foreach (['milaan_key' => __('API key', 'milaan-upi'), 'milaan_secret' => __('Webhook secret', 'milaan-upi')] as $name => $label) {
        printf('<p><label for="%1$s">%2$s</label><br><input type="password" autocomplete="off" id="%1$s" name="%1$s" class="regular-text"></p>', esc_attr($name), esc_html($label));
    }
    echo '<p class="submit">';
    show_button('milaan_connect', __('Use this key', 'milaan-upi'), 'button', 'by-hand');
    echo '</p></details>';
}

/** WooCommerce's page is one form, so our button sends that form to our own address. */
function show_button(string $action, string $label, string $class, string $what = ''): void
{
    printf(
        '<button type="submit" class="%s" formnovalidate formaction="%s">%s</button> ',
        esc_attr($class),
        esc_url(add_query_arg(['action' => $action, 'what' => $what], admin_url('admin-post.php'))),
        esc_html($label)
    );
}

/** Shows a message on the settings page, to which the browser goes now. */
function back_to_settings(array $told): void
{
    set_transient('milaan_told_' . get_current_user_id(), $told, 10 * MINUTE_IN_SECONDS);
    wp_safe_redirect(settings_url());
    exit;
}

function require_shop_manager(): void
{
    if (!current_user_can('manage_woocommerce')) {
        wp_die(esc_html__('Only people who manage the shop may do this.', 'milaan-upi'), 403);
    }
}
