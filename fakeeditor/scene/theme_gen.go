// Code generated from the property lists of engine 4.6. DO NOT EDIT.

package scene

// themeItems lists the theme overrides of each class of controls and windows after those of the class that it
// names with a colon, in the engine's order; c, n, f, z, i and s stand for colors, constants, fonts, font_sizes,
// icons and styles.
const themeItems = `
AcceptDialog n/buttons_separation s/panel
BoxContainer n/separation
Button c/font_color c/font_focus_color c/font_pressed_color c/font_hover_color c/font_hover_pressed_color
  c/font_disabled_color c/font_outline_color c/icon_normal_color c/icon_focus_color c/icon_pressed_color
  c/icon_hover_color c/icon_hover_pressed_color c/icon_disabled_color n/outline_size n/h_separation n/icon_max_width
  n/align_to_largest_stylebox n/line_spacing f/font z/font_size i/icon s/normal s/normal_mirrored s/pressed
  s/pressed_mirrored s/hover s/hover_mirrored s/hover_pressed s/hover_pressed_mirrored s/disabled s/disabled_mirrored
  s/focus
CheckBox:Button c/checkbox_checked_color c/checkbox_unchecked_color n/check_v_offset i/checked i/unchecked
  i/radio_checked i/radio_unchecked i/checked_disabled i/unchecked_disabled i/radio_checked_disabled
  i/radio_unchecked_disabled
CheckButton:Button c/button_checked_color c/button_unchecked_color n/check_v_offset i/checked i/unchecked
  i/checked_disabled i/unchecked_disabled i/checked_mirrored i/unchecked_mirrored i/checked_disabled_mirrored
  i/unchecked_disabled_mirrored
CodeEdit:TextEdit c/code_folding_color c/folded_code_region_color c/breakpoint_color c/bookmark_color
  c/executing_line_color c/line_number_color c/completion_scroll_color c/completion_scroll_hovered_color
  c/completion_background_color c/completion_selected_color c/completion_existing_color c/line_length_guideline_color
  c/brace_mismatch_color n/completion_max_width n/completion_lines n/completion_scroll_width i/can_fold i/folded
  i/can_fold_code_region i/folded_code_region i/folded_eol_icon i/completion_color_bg i/breakpoint i/bookmark
  i/executing_line s/completion
ColorPicker:BoxContainer c/focused_not_editing_cursor_color n/margin n/label_width n/sv_width n/sv_height n/h_width
  n/center_slider_grabbers i/menu_option i/screen_picker i/expanded_arrow i/folded_arrow i/add_preset i/shape_rect
  i/shape_rect_wheel i/shape_circle i/bar_arrow i/sample_bg i/sample_revert i/overbright_indicator i/picker_cursor
  i/picker_cursor_bg i/color_hue i/color_script s/sample_focus s/picker_focus_rectangle s/picker_focus_circle
ColorPickerButton:Button i/bg
FileDialog c/folder_icon_color c/file_icon_color c/file_disabled_color n/thumbnail_size i/load i/save i/clear
  i/parent_folder i/back_folder i/forward_folder i/reload i/favorite i/toggle_hidden i/toggle_filename_filter
  i/folder i/file i/thumbnail_mode i/list_mode i/create_folder i/sort i/favorite_up i/favorite_down i/file_thumbnail
  i/folder_thumbnail
FlowContainer n/h_separation n/v_separation
FoldableContainer c/font_color c/hover_font_color c/collapsed_font_color c/font_outline_color n/outline_size
  n/h_separation f/font z/font_size i/expanded_arrow i/expanded_arrow_mirrored i/folded_arrow i/folded_arrow_mirrored
  s/title_panel s/title_hover_panel s/title_collapsed_panel s/title_collapsed_hover_panel s/focus s/panel
GraphEdit c/grid_major c/grid_minor c/activity c/connection_hover_tint_color c/connection_valid_target_tint_color
  c/connection_rim_color c/selection_fill c/selection_stroke n/connection_hover_thickness n/port_hotzone_inner_extent
  n/port_hotzone_outer_extent i/zoom_in i/zoom_out i/zoom_reset i/snapping_toggle i/grid_toggle i/minimap_toggle
  i/layout s/panel s/panel_focus s/menu_panel
GraphElement i/resizer
GraphFrame:GraphElement c/resizer_color s/panel s/panel_selected s/titlebar s/titlebar_selected
GraphNode:GraphElement c/resizer_color n/separation n/port_h_offset i/port s/panel s/panel_selected s/panel_focus
  s/titlebar s/titlebar_selected s/slot s/slot_selected
GridContainer:FlowContainer
HBoxContainer:BoxContainer
HFlowContainer:FlowContainer
HScrollBar i/increment i/increment_highlight i/increment_pressed i/decrement i/decrement_highlight
  i/decrement_pressed s/scroll s/scroll_focus s/grabber s/grabber_highlight s/grabber_pressed n/padding_top
  n/padding_bottom
HSeparator:BoxContainer s/separator
HSlider n/center_grabber n/grabber_offset n/tick_offset i/grabber i/grabber_highlight i/grabber_disabled i/tick
  s/slider s/grabber_area s/grabber_area_highlight
HSplitContainer c/touch_dragger_color c/touch_dragger_pressed_color c/touch_dragger_hover_color n/separation
  n/minimum_grab_thickness n/autohide i/touch_dragger i/h_touch_dragger i/v_touch_dragger i/grabber i/h_grabber
  i/v_grabber s/split_bar_background
ItemList c/font_color c/font_hovered_color c/font_hovered_selected_color c/font_selected_color c/font_outline_color
  c/scroll_hint_color c/guide_color n/h_separation n/v_separation n/outline_size n/line_separation n/icon_margin
  f/font z/font_size i/scroll_hint s/panel s/focus s/hovered s/hovered_selected s/hovered_selected_focus s/selected
  s/selected_focus s/cursor_unfocused s/cursor
Label c/font_color c/font_shadow_color c/font_outline_color n/line_spacing n/paragraph_spacing n/shadow_offset_x
  n/shadow_offset_y n/outline_size n/shadow_outline_size f/font z/font_size s/normal s/focus
LineEdit c/font_color c/font_uneditable_color c/font_selected_color c/font_outline_color c/font_placeholder_color
  c/caret_color c/selection_color c/clear_button_color c/clear_button_color_pressed n/outline_size n/caret_width
  n/minimum_character_width f/font z/font_size i/clear s/normal s/read_only s/focus
LinkButton c/font_color c/font_focus_color c/font_pressed_color c/font_hover_color c/font_hover_pressed_color
  c/font_disabled_color c/font_outline_color n/outline_size n/underline_spacing f/font z/font_size s/focus
MarginContainer n/margin_left n/margin_top n/margin_right n/margin_bottom
MenuBar c/font_outline_color c/font_color c/font_disabled_color c/font_pressed_color c/font_hover_color
  c/font_hover_pressed_color c/font_focus_color n/outline_size n/h_separation f/font z/font_size s/normal
  s/normal_mirrored s/disabled s/disabled_mirrored s/pressed s/pressed_mirrored s/hover s/hover_mirrored
  s/hover_pressed s/hover_pressed_mirrored
MenuButton:Button
OptionButton:Button n/arrow_margin n/modulate_arrow i/arrow
Panel s/panel
PanelContainer:Panel
PopupMenu c/font_color c/font_accelerator_color c/font_disabled_color c/font_hover_color c/font_separator_color
  c/font_outline_color c/font_separator_outline_color n/indent n/h_separation n/v_separation n/outline_size
  n/separator_outline_size n/item_start_padding n/item_end_padding n/icon_max_width n/gutter_compact f/font
  f/font_separator z/font_size z/font_separator_size i/checked i/checked_disabled i/unchecked i/unchecked_disabled
  i/radio_checked i/radio_checked_disabled i/radio_unchecked i/radio_unchecked_disabled i/submenu i/submenu_mirrored
  s/panel s/hover s/separator s/labeled_separator_left s/labeled_separator_right
PopupPanel:Panel
ProgressBar c/font_color c/font_outline_color n/outline_size f/font z/font_size s/background s/fill
RichTextLabel c/default_color c/font_selected_color c/selection_color c/font_outline_color c/font_shadow_color
  c/table_odd_row_bg c/table_even_row_bg c/table_border n/line_separation n/paragraph_separation
  n/shadow_outline_size n/shadow_offset_x n/shadow_offset_y n/outline_size n/text_highlight_h_padding
  n/text_highlight_v_padding n/underline_alpha n/strikethrough_alpha n/table_h_separation n/table_v_separation
  f/normal_font f/bold_font f/bold_italics_font f/italics_font f/mono_font z/normal_font_size z/bold_font_size
  z/bold_italics_font_size z/italics_font_size z/mono_font_size i/horizontal_rule s/normal s/focus
ScrollContainer c/scroll_hint_vertical_color c/scroll_hint_horizontal_color n/scrollbar_h_separation
  n/scrollbar_v_separation i/scroll_hint_vertical i/scroll_hint_horizontal s/panel s/focus
SpinBox c/up_icon_modulate c/up_hover_icon_modulate c/up_pressed_icon_modulate c/up_disabled_icon_modulate
  c/down_icon_modulate c/down_hover_icon_modulate c/down_pressed_icon_modulate c/down_disabled_icon_modulate
  n/buttons_vertical_separation n/field_and_buttons_separation n/buttons_width n/set_min_buttons_width_from_icons
  i/updown i/up i/up_hover i/up_pressed i/up_disabled i/down i/down_hover i/down_pressed i/down_disabled
  s/up_background s/up_background_hovered s/up_background_pressed s/up_background_disabled s/down_background
  s/down_background_hovered s/down_background_pressed s/down_background_disabled s/field_and_buttons_separator
  s/up_down_buttons_separator
SplitContainer:HSplitContainer
TabBar c/drop_mark_color c/font_selected_color c/font_hovered_color c/font_unselected_color c/font_disabled_color
  c/font_outline_color c/icon_selected_color c/icon_hovered_color c/icon_unselected_color c/icon_disabled_color
  n/h_separation n/tab_separation n/icon_max_width n/hover_switch_wait_msec n/outline_size f/font z/font_size
  i/increment i/increment_highlight i/decrement i/decrement_highlight i/drop_mark i/close s/tab_unselected
  s/tab_hovered s/tab_selected s/tab_disabled s/tab_focus s/button_pressed s/button_highlight
TabContainer c/drop_mark_color c/font_selected_color c/font_hovered_color c/font_unselected_color
  c/font_disabled_color c/font_outline_color c/icon_selected_color c/icon_hovered_color c/icon_unselected_color
  c/icon_disabled_color n/side_margin n/tab_separation n/icon_separation n/icon_max_width n/outline_size f/font
  z/font_size i/menu i/menu_highlight i/increment i/increment_highlight i/decrement i/decrement_highlight i/drop_mark
  s/panel s/tabbar_background s/tab_unselected s/tab_hovered s/tab_selected s/tab_disabled s/tab_focus
TextEdit c/search_result_color c/search_result_border_color c/caret_color c/caret_background_color
  c/font_selected_color c/selection_color c/font_color c/font_readonly_color c/font_placeholder_color
  c/font_outline_color c/background_color c/current_line_color c/word_highlighted_color n/caret_width n/outline_size
  n/line_spacing n/wrap_offset f/font z/font_size i/tab i/space s/normal s/focus s/read_only
Tree c/scroll_hint_color c/custom_button_font_highlight c/font_color c/font_hovered_color c/font_hovered_dimmed_color
  c/font_hovered_selected_color c/font_selected_color c/font_disabled_color c/drop_position_color
  c/font_outline_color c/guide_color c/relationship_line_color c/parent_hl_line_color c/children_hl_line_color
  c/title_button_color n/h_separation n/v_separation n/inner_item_margin_bottom n/inner_item_margin_left
  n/inner_item_margin_right n/inner_item_margin_top n/item_margin n/check_h_separation n/icon_h_separation
  n/button_margin n/icon_max_width n/outline_size n/draw_guides n/draw_relationship_lines n/relationship_line_width
  n/parent_hl_line_width n/children_hl_line_width n/parent_hl_line_margin n/dragging_unfold_wait_msec n/scroll_border
  n/scroll_speed n/scrollbar_margin_top n/scrollbar_margin_right n/scrollbar_margin_bottom n/scrollbar_margin_left
  n/scrollbar_h_separation n/scrollbar_v_separation f/font f/title_button_font z/font_size z/title_button_font_size
  i/checked i/unchecked i/checked_disabled i/unchecked_disabled i/indeterminate i/indeterminate_disabled i/arrow
  i/arrow_collapsed i/arrow_collapsed_mirrored i/select_arrow i/updown i/scroll_hint s/panel s/focus s/hovered
  s/hovered_dimmed s/hovered_selected s/hovered_selected_focus s/selected s/selected_focus s/cursor
  s/cursor_unfocused s/button_hover s/button_pressed s/custom_button s/custom_button_hover s/custom_button_pressed
  s/title_button_normal s/title_button_pressed s/title_button_hover
VBoxContainer:BoxContainer
VFlowContainer:FlowContainer
VScrollBar i/increment i/increment_highlight i/increment_pressed i/decrement i/decrement_highlight
  i/decrement_pressed s/scroll s/scroll_focus s/grabber s/grabber_highlight s/grabber_pressed n/padding_left
  n/padding_right
VSeparator:HSeparator
VSlider:HSlider
VSplitContainer:HSplitContainer
Window c/title_color c/title_outline_modulate n/title_outline_size n/title_height n/resize_margin n/close_h_offset
  n/close_v_offset f/title_font z/title_font_size i/close i/close_pressed s/embedded_border
  s/embedded_unfocused_border
`
