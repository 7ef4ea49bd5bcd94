// The files of the folder `Web`, linked into the library: a command of one file has its pages with it, and the compiler reads
// them as bytes (`#embed`, C23 §6.10.4), where a literal of Swift would take minutes.

#include "CAtmospherePages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char atmosphere_js[] = {
#embed "Web/atmosphere.js"
};

static const unsigned char atmosphere_d_ts[] = {
#embed "Web/atmosphere.d.ts"
};

static const unsigned char atmosphere_decisions_js[] = {
#embed "Web/atmosphere-decisions.js"
};

static const unsigned char atmosphere_decisions_d_ts[] = {
#embed "Web/atmosphere-decisions.d.ts"
};

static const unsigned char atmosphere_worker_js[] = {
#embed "Web/atmosphere-worker.js"
};

static const unsigned char studio_index_html[] = {
#embed "Web/studio/index.html"
};

static const unsigned char studio_attachments_js[] = {
#embed "Web/studio/attachments.js"
};

static const unsigned char studio_cards_view_js[] = {
#embed "Web/studio/cards-view.js"
};

static const unsigned char studio_check_view_js[] = {
#embed "Web/studio/check-view.js"
};

static const unsigned char studio_conflicts_view_js[] = {
#embed "Web/studio/conflicts-view.js"
};

static const unsigned char studio_create_panel_js[] = {
#embed "Web/studio/create-panel.js"
};

static const unsigned char studio_difference_js[] = {
#embed "Web/studio/difference.js"
};

static const unsigned char studio_dom_js[] = {
#embed "Web/studio/dom.js"
};

static const unsigned char studio_doubts_view_js[] = {
#embed "Web/studio/doubts-view.js"
};

static const unsigned char studio_fields_js[] = {
#embed "Web/studio/fields.js"
};

static const unsigned char studio_gateway_js[] = {
#embed "Web/studio/gateway.js"
};

static const unsigned char studio_grid_js[] = {
#embed "Web/studio/grid.js"
};

static const unsigned char studio_icon_svg[] = {
#embed "Web/studio/icon.svg"
};

static const unsigned char studio_icons_js[] = {
#embed "Web/studio/icons.js"
};

static const unsigned char studio_json_js[] = {
#embed "Web/studio/json.js"
};

static const unsigned char studio_locked_js[] = {
#embed "Web/studio/locked.js"
};

static const unsigned char studio_log_view_js[] = {
#embed "Web/studio/log-view.js"
};

static const unsigned char studio_main_js[] = {
#embed "Web/studio/main.js"
};

static const unsigned char studio_messages_js[] = {
#embed "Web/studio/messages.js"
};

static const unsigned char studio_names_js[] = {
#embed "Web/studio/names.js"
};

static const unsigned char studio_object_panel_js[] = {
#embed "Web/studio/object-panel.js"
};

static const unsigned char studio_objects_view_js[] = {
#embed "Web/studio/objects-view.js"
};

static const unsigned char studio_record_form_js[] = {
#embed "Web/studio/record-form.js"
};

static const unsigned char studio_record_pages_js[] = {
#embed "Web/studio/record-pages.js"
};

static const unsigned char studio_refusals_view_js[] = {
#embed "Web/studio/refusals-view.js"
};

static const unsigned char studio_requests_js[] = {
#embed "Web/studio/requests.js"
};

static const unsigned char studio_router_js[] = {
#embed "Web/studio/router.js"
};

static const unsigned char studio_settings_view_js[] = {
#embed "Web/studio/settings-view.js"
};

static const unsigned char studio_shell_js[] = {
#embed "Web/studio/shell.js"
};

static const unsigned char studio_studio_css[] = {
#embed "Web/studio/studio.css"
};

static const unsigned char studio_studio_js[] = {
#embed "Web/studio/studio.js"
};

static const unsigned char studio_sync_bar_js[] = {
#embed "Web/studio/sync-bar.js"
};

static const unsigned char studio_text_js[] = {
#embed "Web/studio/text.js"
};

static const unsigned char studio_waiting_view_js[] = {
#embed "Web/studio/waiting-view.js"
};

#define PAGE(path, name) { path, name, sizeof name }

static const AtmospherePage pages[] = {
    PAGE("atmosphere.js", atmosphere_js),
    PAGE("atmosphere.d.ts", atmosphere_d_ts),
    PAGE("atmosphere-decisions.js", atmosphere_decisions_js),
    PAGE("atmosphere-decisions.d.ts", atmosphere_decisions_d_ts),
    PAGE("atmosphere-worker.js", atmosphere_worker_js),
    PAGE("studio/index.html", studio_index_html),
    PAGE("studio/attachments.js", studio_attachments_js),
    PAGE("studio/cards-view.js", studio_cards_view_js),
    PAGE("studio/check-view.js", studio_check_view_js),
    PAGE("studio/conflicts-view.js", studio_conflicts_view_js),
    PAGE("studio/create-panel.js", studio_create_panel_js),
    PAGE("studio/difference.js", studio_difference_js),
    PAGE("studio/dom.js", studio_dom_js),
    PAGE("studio/doubts-view.js", studio_doubts_view_js),
    PAGE("studio/fields.js", studio_fields_js),
    PAGE("studio/gateway.js", studio_gateway_js),
    PAGE("studio/grid.js", studio_grid_js),
    PAGE("studio/icon.svg", studio_icon_svg),
    PAGE("studio/icons.js", studio_icons_js),
    PAGE("studio/json.js", studio_json_js),
    PAGE("studio/locked.js", studio_locked_js),
    PAGE("studio/log-view.js", studio_log_view_js),
    PAGE("studio/main.js", studio_main_js),
    PAGE("studio/messages.js", studio_messages_js),
    PAGE("studio/names.js", studio_names_js),
    PAGE("studio/object-panel.js", studio_object_panel_js),
    PAGE("studio/objects-view.js", studio_objects_view_js),
    PAGE("studio/record-form.js", studio_record_form_js),
    PAGE("studio/record-pages.js", studio_record_pages_js),
    PAGE("studio/refusals-view.js", studio_refusals_view_js),
    PAGE("studio/requests.js", studio_requests_js),
    PAGE("studio/router.js", studio_router_js),
    PAGE("studio/settings-view.js", studio_settings_view_js),
    PAGE("studio/shell.js", studio_shell_js),
    PAGE("studio/studio.css", studio_studio_css),
    PAGE("studio/studio.js", studio_studio_js),
    PAGE("studio/sync-bar.js", studio_sync_bar_js),
    PAGE("studio/text.js", studio_text_js),
    PAGE("studio/waiting-view.js", studio_waiting_view_js),
};

const AtmospherePage *atmosphere_page(size_t index) {
    return index < sizeof pages / sizeof pages[0] ? &pages[index] : NULL;
}
