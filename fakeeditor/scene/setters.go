package scene

// What the setters of engine 4.6 do with numbers: every number property of every class was set to several values,
// nothing and negative ones among them, and read back.

// clampedTo and refusedOutOf list the setters that clamp, or refuse, what is out of least:most; "enum" stands for the
// last value of the property's enum, ">0" for whatever is above nothing. keptIn32Bits and keptIn8Bits keep what they get
// as unsigned numbers. The limits of Camera3D.fov are those of a camera in an open scene.
const (
	clampedTo = `
	Animation.length=0.001: AnimationNodeBlendSpace1D.max_space=0: AnimationNodeStateMachineTransition.xfade_time=0:
	AudioEffectReverb.predelay_feedback=0:0.98 AudioStreamMP3.bpm=0: AudioStreamOggVorbis.bpm=0:
	AudioStreamPlayer.max_polyphony=1: AudioStreamPlayer2D.max_polyphony=1: AudioStreamPlayer3D.max_distance=0:
	AudioStreamPlayer3D.max_polyphony=1: AudioStreamRandomizer.random_pitch=1:
	AudioStreamRandomizer.random_volume_offset_db=0: BoxMesh.subdivide_depth=0: BoxMesh.subdivide_height=0:
	BoxMesh.subdivide_width=0: CSGSphere3D.radial_segments=4: CSGSphere3D.rings=1: CSGTorus3D.ring_sides=6:
	Camera2D.position_smoothing_speed=0: Camera2D.rotation_smoothing_speed=0: CapsuleMesh.radial_segments=4:
	Curve.max_domain=0.01: Curve.max_value=0.01: Curve.min_domain=:0.99 Curve.min_value=:0.99 CurveTexture.width=256:
	CurveXYZTexture.width=256: CylinderMesh.radial_segments=4: Decal.lower_fade=0: Decal.upper_fade=0:
	Environment.ambient_light_sky_contribution=0:1 Environment.ssr_fade_in=0: Environment.ssr_fade_out=0:
	Environment.volumetric_fog_detail_spread=0.5:6 FogMaterial.edge_fade=0: FogMaterial.height_falloff=0:
	FontFile.font_stretch=50:200 FontFile.font_weight=100: GPUParticles2D.interp_to_end=0:1
	GPUParticles3D.draw_passes=1: GPUParticles3D.interp_to_end=0:1 GeometryInstance3D.extra_cull_margin=0:
	GeometryInstance3D.transparency=0:1 GraphEdit.zoom=0.232568:2.0736003 GridContainer.columns=1:
	HTTPRequest.timeout=0: InputEventAction.strength=0:1 ItemList.fixed_column_width=0: ItemList.max_text_lines=1:
	Label.lines_skipped=0: Label.visible_ratio=0:1 LightmapGI.bias=0.0005: LightmapGI.supersampling_factor=2:
	Line2D.round_precision=1: Line2D.sharp_limit=0: Line2D.width=0: LineEdit.max_length=0:
	MultiplayerSynchronizer.delta_interval=0: MultiplayerSynchronizer.replication_interval=0:
	NavigationAgent2D.debug_path_custom_point_size=0: NavigationAgent2D.path_return_max_length=0:
	NavigationAgent2D.path_return_max_radius=0: NavigationAgent2D.path_search_max_distance=0:
	NavigationAgent2D.simplify_epsilon=0: NavigationAgent2D.time_horizon_obstacles=0:
	NavigationAgent3D.debug_path_custom_point_size=0: NavigationAgent3D.path_return_max_length=0:
	NavigationAgent3D.path_return_max_radius=0: NavigationAgent3D.path_search_max_distance=0:
	NavigationAgent3D.simplify_epsilon=0: NavigationAgent3D.time_horizon_obstacles=0: NavigationLink2D.enter_cost=0:
	NavigationLink3D.enter_cost=0: NavigationMesh.border_size=0: NavigationMesh.edge_max_length=0:
	NavigationMesh.vertices_per_polygon=6: NavigationObstacle2D.radius=0: NavigationObstacle3D.radius=0:
	NavigationPolygon.border_size=0: NavigationRegion2D.enter_cost=0: NavigationRegion3D.enter_cost=0:
	OccluderInstance3D.bake_simplification_distance=0: Parallax2D.repeat_times=1: PhysicalBone2D.bone2d_index=-1:
	PlaneMesh.subdivide_depth=0:
	PlaneMesh.subdivide_width=0: PointLight2D.texture_scale=0.000009999999747378752: PopupMenu.submenu_popup_delay=0.01:
	PrismMesh.subdivide_depth=0: PrismMesh.subdivide_height=0: PrismMesh.subdivide_width=0: Range.max_value=0:
	Range.page=0:100 ReferenceRect.border_width=0: ReflectionProbe.max_distance=0: RichTextLabel.visible_ratio=0:1
	RigidBody2D.inertia=0: RigidBody2D.max_contacts_reported=0:
	RigidBody3D.max_contacts_reported=0:
	ScrollContainer.scroll_horizontal=0:100 ScrollContainer.scroll_vertical=0:100
	SkeletonModification2DCCDIK.ccdik_data_chain_length=0: SkeletonModification2DFABRIK.fabrik_data_chain_length=0:
	SkeletonModification2DJiggle.jiggle_data_chain_length=0: SkeletonModification2DLookAt.bone_index=-1:
	SkeletonModification2DPhysicalBones.physical_bone_chain_length=0:
	SkeletonModification2DTwoBoneIK.target_maximum_distance=0:
	SkeletonModification2DTwoBoneIK.target_minimum_distance=0: SkeletonProfile.bone_size=0:
	SkeletonProfile.group_size=0: SphereMesh.radial_segments=4: SphereOccluder3D.radius=0: Sprite2D.hframes=1:
	Sprite2D.vframes=1: Sprite3D.hframes=1: Sprite3D.vframes=1: StyleBoxFlat.anti_aliasing_size=0.01:10
	StyleBoxFlat.corner_detail=1:20 SubViewportContainer.stretch_shrink=1: SystemFont.font_stretch=50:200
	SystemFont.font_weight=100: TabBar.max_tab_width=0: TextEdit.scroll_horizontal=0:100 TextEdit.scroll_vertical=0:100
	TextMesh.curve_step=0.1:10 TextMesh.depth=0: TextMesh.font_size=1:127 TextMesh.pixel_size=0.0001:128
	TextureProgressBar.radial_fill_degrees=0:360 Tree.columns=1: Viewport.fsr_sharpness=0:
	Viewport.scaling_3d_scale=0.1:2 VisualShaderNodeParticleMeshEmitter.surface_index=0:
	XROrigin3D.world_scale=0.01:1000
	`
	refusedOutOf = `
	CanvasItem.texture_filter=0:enum CanvasItem.texture_repeat=0:enum
	PhysicalBone3D.angular_damp=0: PhysicalBone3D.linear_damp=0: RigidBody2D.angular_damp=-1: RigidBody2D.linear_damp=-1:
	RigidBody3D.angular_damp=0: RigidBody3D.linear_damp=0:
	AnimatedTexture.frames=1:enum AnimationMixer.audio_max_polyphony=0: AudioEffectPitchShift.fft_size=0:enum
	AudioEffectPitchShift.pitch_scale=0: AudioEffectSpectrumAnalyzer.fft_size=0:enum
	AudioStreamGenerator.mix_rate_mode=0:enum AudioStreamMP3.bar_beats=0: AudioStreamOggVorbis.bar_beats=1:
	AudioStreamPlayer.pitch_scale=>0: AudioStreamPlayer2D.max_distance=>0: AudioStreamPlayer2D.panning_strength=0:
	AudioStreamPlayer2D.pitch_scale=>0: AudioStreamPlayer3D.attenuation_model=0:enum
	AudioStreamPlayer3D.emission_angle_degrees=0:90 AudioStreamPlayer3D.panning_strength=0:
	AudioStreamPlayer3D.pitch_scale=>0: AudioStreamPolyphonic.polyphony=0:enum AudioStreamWAV.mix_rate=:
	CPUParticles2D.amount=1: CPUParticles2D.emission_shape=0:enum CPUParticles2D.lifetime=>0: CPUParticles3D.amount=1:
	CPUParticles3D.draw_order=0:enum CPUParticles3D.emission_shape=0:enum CPUParticles3D.lifetime=>0:
	CSGCylinder3D.sides=3: CSGPolygon3D.depth=>0: CSGPolygon3D.spin_sides=1: CSGSphere3D.radius=>0: CSGTorus3D.sides=3:
	Camera3D.fov=1:179 Camera3D.projection=0:enum Camera3D.size=>0: CanvasGroup.clear_margin=0:
	CanvasGroup.fit_margin=0: CanvasItem.z_index=-4096:4096 CapsuleMesh.rings=0: CapsuleShape2D.height=0:
	CapsuleShape2D.radius=0: CapsuleShape3D.height=0: CapsuleShape3D.radius=0: CharacterBody2D.floor_snap_length=0:
	CharacterBody2D.max_slides=1: CharacterBody3D.floor_snap_length=0: CharacterBody3D.max_slides=1:
	CircleShape2D.radius=0: CodeEdit.indent_size=1: CollisionPolygon2D.build_mode=0:enum ColorPicker.color_mode=0:enum
	ColorPicker.picker_shape=0:enum Control.focus_behavior_recursive=0:enum Control.focus_mode=0:enum
	Control.grow_horizontal=0:enum Control.grow_vertical=0:enum Control.layout_direction=0:enum
	Control.mouse_behavior_recursive=0:enum Control.mouse_default_cursor_shape=0:enum Control.mouse_filter=0:enum
	Curve.bake_resolution=1: CurveTexture.texture_mode=0:enum CylinderMesh.rings=0: CylinderShape3D.height=0:
	CylinderShape3D.radius=0: DPITexture.base_scale=0: Environment.sdfgi_cascades=1:enum
	FoldableContainer.title_alignment=0:enum FoldableContainer.title_position=0:enum
	FoldableContainer.title_text_direction=0:enum GPUParticles2D.amount=1: GPUParticles2D.lifetime=>0:
	GPUParticles2D.trail_lifetime=>0: GPUParticles2D.trail_section_subdivisions=1: GPUParticles2D.trail_sections=2:
	GPUParticles3D.amount=1: GPUParticles3D.lifetime=>0: GPUParticles3D.trail_lifetime=>0:
	GPUParticles3D.transform_align=0:enum GeometryInstance3D.lod_bias=0: GradientTexture1D.width=1:
	GradientTexture2D.height=1: GradientTexture2D.width=1: GraphEdit.connection_lines_thickness=0:
	GraphEdit.snapping_distance=1:enum GraphEdit.zoom_max=0: GraphNode.slots_focus_mode=1:enum
	GridMap.cell_octant_size=1: HTTPRequest.download_chunk_size=256:16777216 HeightMapShape3D.map_depth=1:
	HeightMapShape3D.map_width=1: InputEventJoypadMotion.axis=-1:enum ItemList.icon_mode=0:enum ItemList.max_columns=0:
	Label.horizontal_alignment=0:enum Label.vertical_alignment=0:enum Label3D.alpha_cut=0:enum Label3D.billboard=0:enum
	Label3D.horizontal_alignment=0:enum Label3D.outline_render_priority=:enum Label3D.render_priority=:enum
	Label3D.vertical_alignment=0:enum LightmapGI.bounce_indirect_energy=0: LightmapGI.bounces=0:enum
	LightmapGI.max_texture_size=2048: LightmapGI.texel_scale=>0: LineEdit.alignment=0:enum
	LineEdit.caret_blink_interval=>0: Material.render_priority=:enum NavigationAgent2D.avoidance_priority=0:1
	NavigationAgent2D.max_speed=0: NavigationAgent2D.radius=0: NavigationAgent2D.time_horizon_agents=0:
	NavigationAgent3D.avoidance_priority=0:1 NavigationAgent3D.height=0: NavigationAgent3D.max_speed=0:
	NavigationAgent3D.radius=0: NavigationAgent3D.time_horizon_agents=0: NavigationLink2D.travel_cost=0:
	NavigationLink3D.travel_cost=0: NavigationMesh.agent_height=0: NavigationMesh.agent_max_climb=0:
	NavigationMesh.agent_radius=0: NavigationMesh.cell_height=0: NavigationMesh.cell_size=0:
	NavigationMesh.detail_sample_distance=0: NavigationMesh.detail_sample_max_error=0: NavigationMesh.edge_max_error=0:
	NavigationMesh.geometry_parsed_geometry_type=0:enum NavigationMesh.geometry_source_geometry_mode=0:enum
	NavigationMesh.region_merge_size=0: NavigationMesh.region_min_size=0: NavigationMesh.sample_partition_type=0:enum
	NavigationObstacle3D.height=0: NavigationPolygon.agent_radius=0: NavigationPolygon.parsed_geometry_type=0:enum
	NavigationPolygon.sample_partition_type=0:enum NavigationPolygon.source_geometry_mode=0:enum
	NavigationRegion2D.travel_cost=0: NavigationRegion3D.travel_cost=0: Node3D.rotation_order=0:enum
	NoiseTexture2D.height=1: NoiseTexture2D.width=1: NoiseTexture3D.depth=1: NoiseTexture3D.height=1:
	NoiseTexture3D.width=1: OpenXRCompositionLayerCylinder.aspect_ratio=>0:
	OpenXRCompositionLayerCylinder.central_angle=>0: OpenXRCompositionLayerCylinder.fallback_segments=1:
	OpenXRCompositionLayerCylinder.radius=>0: OpenXRCompositionLayerEquirect.central_horizontal_angle=>0:
	OpenXRCompositionLayerEquirect.fallback_segments=1:
	OpenXRCompositionLayerEquirect.lower_vertical_angle=>0:1.5707963267948966 OpenXRCompositionLayerEquirect.radius=>0:
	OpenXRCompositionLayerEquirect.upper_vertical_angle=>0:1.5707963267948966 OpenXRHand.bone_update=0:enum
	OpenXRHand.hand=0:enum OpenXRHand.motion_range=0:enum OpenXRHand.skeleton_rig=0:enum
	ParticleProcessMaterial.emission_shape=0:enum PhysicalBone3D.bounce=0:1 PhysicalBone3D.friction=0:1
	PhysicalBone3D.mass=>0: ProgressBar.fill_mode=0:enum
	RibbonTrailMesh.section_segments=1: RibbonTrailMesh.sections=1:enum RichTextLabel.horizontal_alignment=0:enum
	RichTextLabel.vertical_alignment=0:enum RigidBody2D.mass=>0: RigidBody3D.mass=>0: Skeleton3D.motion_scale=>0:
	SkeletonModification2DJiggle.mass=0: SkeletonModification2DJiggle.stiffness=0: Sky.radiance_size=0:enum
	SoftBody3D.total_mass=0: SphereMesh.rings=1: SphereShape3D.radius=0: SpinBox.alignment=0:enum
	StyleBoxTexture.axis_stretch_horizontal=0:enum StyleBoxTexture.axis_stretch_vertical=0:enum
	TabBar.tab_alignment=0:enum TabBar.tab_close_display_policy=0:enum TabContainer.tab_alignment=0:enum
	TabContainer.tab_focus_mode=0:enum TabContainer.tabs_position=0:enum TextEdit.caret_blink_interval=>0:
	TextEdit.scroll_v_scroll_speed=1: TextMesh.horizontal_alignment=0:enum TextMesh.vertical_alignment=0:enum
	TextureProgressBar.fill_mode=0:enum TileMap.rendering_quadrant_size=1: TileMapLayer.physics_quadrant_size=1:
	TileMapLayer.rendering_quadrant_size=1: Timer.wait_time=>0: TorusMesh.ring_segments=1: TorusMesh.rings=1:
	TubeTrailMesh.radial_steps=1:enum TubeTrailMesh.section_rings=1: TubeTrailMesh.sections=1:enum
	VideoStreamPlayer.speed_scale=0: VisualShaderNodeBillboard.billboard_type=0:enum
	VisualShaderNodeClamp.op_type=0:enum VisualShaderNodeColorFunc.function=0:enum
	VisualShaderNodeColorOp.operator=0:enum VisualShaderNodeCompare.condition=0:enum
	VisualShaderNodeCompare.function=0:enum VisualShaderNodeCompare.type=0:enum VisualShaderNodeCubemap.source=0:enum
	VisualShaderNodeCubemap.texture_type=0:enum VisualShaderNodeDerivativeFunc.function=0:enum
	VisualShaderNodeDerivativeFunc.op_type=0:enum VisualShaderNodeDerivativeFunc.precision=0:enum
	VisualShaderNodeFloatFunc.function=0:enum VisualShaderNodeFloatOp.operator=0:enum
	VisualShaderNodeFloatParameter.hint=0:enum VisualShaderNodeIntFunc.function=0:enum
	VisualShaderNodeIntOp.operator=0:enum VisualShaderNodeIntParameter.hint=0:enum VisualShaderNodeIs.function=0:enum
	VisualShaderNodeMix.op_type=0:enum VisualShaderNodeMultiplyAdd.op_type=0:enum
	VisualShaderNodeParticleAccelerator.mode=0:enum VisualShaderNodeParticleRandomness.op_type=0:enum
	VisualShaderNodeRemap.op_type=0:enum VisualShaderNodeSmoothStep.op_type=0:enum VisualShaderNodeStep.op_type=0:enum
	VisualShaderNodeSwitch.op_type=0:enum VisualShaderNodeTexture.source=0:enum
	VisualShaderNodeTexture.texture_type=0:enum VisualShaderNodeTransformFunc.function=0:enum
	VisualShaderNodeTransformOp.operator=0:enum VisualShaderNodeTransformVecMult.operator=0:enum
	VisualShaderNodeUIntFunc.function=0:enum VisualShaderNodeUIntOp.operator=0:enum
	VisualShaderNodeUVFunc.function=0:enum VisualShaderNodeVectorFunc.function=0:enum
	VisualShaderNodeVectorOp.operator=0:enum VoxelGI.subdiv=0:enum Window.content_scale_factor=>0:
	XRBodyModifier3D.bone_update=0:enum XRHandModifier3D.bone_update=0:enum
	`
	keptIn32Bits = `
	AnimationNodeAnimation.play_mode AnimationNodeBlendSpace1D.blend_mode AnimationNodeBlendSpace2D.blend_mode
	AnimationNodeOneShot.mix_mode AnimationNodeStateMachine.state_machine_type
	AnimationNodeStateMachineTransition.advance_mode AnimationNodeStateMachineTransition.switch_mode
	AnimationPlayer.playback_auto_capture_ease_type AnimationPlayer.playback_auto_capture_transition_type
	Area2D.angular_damp_space_override Area2D.gravity_space_override Area2D.linear_damp_space_override
	Area3D.angular_damp_space_override Area3D.gravity_space_override Area3D.linear_damp_space_override
	ArrayMesh.blend_shape_mode AspectRatioContainer.alignment_horizontal AspectRatioContainer.alignment_vertical
	AspectRatioContainer.stretch_mode AudioEffectDistortion.mode AudioEffectFilter.db AudioEffectRecord.format
	AudioListener3D.doppler_tracking AudioStreamPlayer.mix_target AudioStreamPlayer.playback_type
	AudioStreamPlayer2D.area_mask AudioStreamPlayer2D.playback_type AudioStreamPlayer3D.area_mask
	AudioStreamPlayer3D.doppler_tracking AudioStreamPlayer3D.playback_type AudioStreamRandomizer.playback_mode
	AudioStreamWAV.format AudioStreamWAV.loop_mode BackBufferCopy.copy_mode BaseButton.action_mode
	BoxContainer.alignment Button.alignment Button.autowrap_mode Button.icon_alignment Button.text_overrun_behavior
	Button.vertical_icon_alignment CPUParticles2D.draw_order CPUParticles2D.seed CPUParticles3D.seed CSGPolygon3D.mode
	CSGPolygon3D.path_interval_type CSGPolygon3D.path_rotation CSGShape3D.collision_layer CSGShape3D.collision_mask
	Camera2D.anchor_mode Camera2D.process_callback Camera3D.cull_mask Camera3D.doppler_tracking Camera3D.keep_aspect
	CameraTexture.which_feed CanvasItem.visibility_layer CanvasItemMaterial.blend_mode CanvasItemMaterial.light_mode
	CanvasTexture.texture_filter CanvasTexture.texture_repeat CharacterBody2D.motion_mode
	CharacterBody2D.platform_floor_layers CharacterBody2D.platform_on_leave CharacterBody2D.platform_wall_layers
	CharacterBody3D.motion_mode CharacterBody3D.platform_floor_layers CharacterBody3D.platform_on_leave
	CharacterBody3D.platform_wall_layers CollisionObject2D.collision_layer CollisionObject2D.collision_mask
	CollisionObject3D.collision_layer CollisionObject3D.collision_mask CompositorEffect.effect_callback_type
	Control.accessibility_live Control.size_flags_horizontal Control.size_flags_vertical
	Control.tooltip_auto_translate_mode Decal.cull_mask DirectionalLight3D.directional_shadow_mode
	DirectionalLight3D.sky_mode Environment.ambient_light_source Environment.background_mode Environment.fog_mode
	Environment.glow_blend_mode Environment.reflected_light_source Environment.sdfgi_y_scale Environment.tonemap_mode
	FastNoiseLite.cellular_distance_function FastNoiseLite.cellular_return_type FastNoiseLite.domain_warp_fractal_type
	FastNoiseLite.domain_warp_type FastNoiseLite.fractal_type FastNoiseLite.noise_type FlowContainer.alignment
	FlowContainer.last_wrap_alignment FogVolume.shape FoldableContainer.title_text_overrun_behavior
	FontFile.antialiasing FontFile.fixed_size_scale_mode FontFile.font_style FontFile.hinting
	FontFile.subpixel_positioning GLTFAccessor.accessor_type GLTFAccessor.component_type
	GLTFAccessor.sparse_indices_component_type GLTFDocument.root_node_mode GLTFDocument.visibility_mode
	GLTFState.handle_binary_image_mode GPUParticles2D.draw_order GPUParticles2D.seed GPUParticles3D.draw_order
	GPUParticles3D.seed GPUParticlesAttractor3D.cull_mask GPUParticlesCollision3D.cull_mask
	GPUParticlesCollisionHeightField3D.heightfield_mask GPUParticlesCollisionHeightField3D.resolution
	GPUParticlesCollisionHeightField3D.update_mode GPUParticlesCollisionSDF3D.bake_mask
	GPUParticlesCollisionSDF3D.resolution GeometryInstance3D.cast_shadow GeometryInstance3D.gi_mode
	GeometryInstance3D.visibility_range_fade_mode Gradient.interpolation_color_space Gradient.interpolation_mode
	GradientTexture2D.fill GradientTexture2D.repeat GraphEdit.grid_pattern GraphEdit.panning_scheme
	GridMap.collision_layer GridMap.collision_mask ImporterMeshInstance3D.cast_shadow ImporterMeshInstance3D.layer_mask
	ImporterMeshInstance3D.visibility_range_fade_mode InputEventKey.unicode ItemList.scroll_hint_mode
	ItemList.select_mode ItemList.text_overrun_behavior Label.autowrap_mode Label.justification_flags
	Label.structured_text_bidi_override Label.text_overrun_behavior Label.visible_characters_behavior
	Label3D.alpha_antialiasing_mode Label3D.autowrap_mode Label3D.justification_flags
	Label3D.structured_text_bidi_override Label3D.texture_filter Light3D.light_cull_mask Light3D.shadow_caster_mask
	LightmapGI.environment_mode LightmapGI.generate_probes_subdiv LightmapGI.quality LightmapGI.shadowmask_mode
	Line2D.begin_cap_mode Line2D.end_cap_mode Line2D.joint_mode Line2D.texture_mode LineEdit.icon_expand_mode
	LineEdit.structured_text_bidi_override LineEdit.virtual_keyboard_type LinkButton.structured_text_bidi_override
	LinkButton.text_overrun_behavior LinkButton.underline LookAtModifier3D.ease_type LookAtModifier3D.forward_axis
	LookAtModifier3D.origin_from LookAtModifier3D.primary_rotation_axis LookAtModifier3D.transition_type
	MultiMesh.physics_interpolation_quality MultiMesh.transform_format MultiplayerSpawner.spawn_limit
	MultiplayerSynchronizer.visibility_update_mode NavigationAgent2D.avoidance_layers NavigationAgent2D.avoidance_mask
	NavigationAgent2D.navigation_layers NavigationAgent2D.path_metadata_flags NavigationAgent2D.path_postprocessing
	NavigationAgent2D.pathfinding_algorithm NavigationAgent3D.avoidance_layers NavigationAgent3D.avoidance_mask
	NavigationAgent3D.navigation_layers NavigationAgent3D.path_metadata_flags NavigationAgent3D.path_postprocessing
	NavigationAgent3D.pathfinding_algorithm NavigationLink2D.navigation_layers NavigationLink3D.navigation_layers
	NavigationMesh.geometry_collision_mask NavigationObstacle2D.avoidance_layers NavigationObstacle3D.avoidance_layers
	NavigationPolygon.parsed_collision_mask NavigationRegion2D.navigation_layers NavigationRegion3D.navigation_layers
	NinePatchRect.axis_stretch_horizontal NinePatchRect.axis_stretch_vertical Node.process_thread_group
	Node.process_thread_messages Node3D.rotation_edit_mode OccluderInstance3D.bake_mask OccluderPolygon2D.cull_mode
	OmniLight3D.omni_shadow_mode OpenXRAction.action_type OpenXRRenderModelManager.tracker
	ParticleProcessMaterial.collision_mode ParticleProcessMaterial.sub_emitter_mode PathFollow3D.rotation_mode
	PhysicalBone3D.angular_damp_mode PhysicalBone3D.linear_damp_mode PlaneMesh.orientation RayCast2D.collision_mask
	RayCast3D.collision_mask ReflectionProbe.ambient_mode ReflectionProbe.cull_mask ReflectionProbe.reflection_mask
	ReflectionProbe.update_mode RetargetModifier3D.enable RibbonTrailMesh.shape RichTextLabel.autowrap_mode
	RichTextLabel.justification_flags RichTextLabel.structured_text_bidi_override
	RichTextLabel.visible_characters_behavior RigidBody2D.angular_damp_mode RigidBody2D.center_of_mass_mode
	RigidBody2D.continuous_cd RigidBody2D.freeze_mode RigidBody2D.linear_damp_mode RigidBody3D.angular_damp_mode
	RigidBody3D.center_of_mass_mode RigidBody3D.freeze_mode RigidBody3D.linear_damp_mode
	ScrollContainer.horizontal_scroll_mode ScrollContainer.scroll_hint_mode ScrollContainer.vertical_scroll_mode
	ShapeCast2D.collision_mask ShapeCast3D.collision_mask Skeleton3D.modifier_callback_mode_process Sky.process_mode
	SoftBody3D.collision_layer SoftBody3D.collision_mask SoftBody3D.disable_mode SplitContainer.dragger_visibility
	SpringArm3D.collision_mask SubViewport.render_target_clear_mode SubViewport.render_target_update_mode
	SystemFont.antialiasing SystemFont.hinting SystemFont.subpixel_positioning TextEdit.autowrap_mode
	TextEdit.caret_type TextEdit.structured_text_bidi_override TextEdit.wrap_mode TextMesh.autowrap_mode
	TextMesh.justification_flags TextMesh.structured_text_bidi_override TextureButton.stretch_mode
	TextureRect.expand_mode TextureRect.stretch_mode TileMap.collision_visibility_mode
	TileMap.navigation_visibility_mode TileMapLayer.collision_visibility_mode TileMapLayer.navigation_visibility_mode
	TileSet.tile_layout TileSet.tile_offset_axis TileSet.tile_shape Timer.process_callback
	TouchScreenButton.visibility_mode Tree.scroll_hint_mode Tree.select_mode Viewport.canvas_cull_mask
	VisibleOnScreenEnabler2D.enable_mode VisibleOnScreenEnabler3D.enable_mode VisualInstance3D.layers
	VisualShaderNodeParticleEmit.flags VisualShaderNodeReroute.port_type XRBodyModifier3D.body_update
	`
	keptIn8Bits = `
	Animation.loop_mode AnimationNodeAnimation.loop_mode
	`
)

// keptAsDoubles are float properties that the engine holds in 64 bits; withoutSetter can only be read.
const (
	keptAsDoubles = `
	AnimationNodeAnimation.start_offset AnimationNodeAnimation.timeline_length AnimationNodeOneShot.autorestart_delay
	AnimationNodeOneShot.autorestart_random_delay AnimationNodeOneShot.fadein_time AnimationNodeOneShot.fadeout_time
	AnimationNodeTransition.xfade_time AnimationPlayer.playback_auto_capture_duration
	AnimationPlayer.playback_default_blend_time AudioStreamMP3.bpm AudioStreamOggVorbis.bpm
	AudioStreamOggVorbis.loop_offset CPUParticles2D.lifetime CPUParticles2D.lifetime_randomness
	CPUParticles2D.preprocess CPUParticles2D.speed_scale CPUParticles3D.lifetime CPUParticles3D.lifetime_randomness
	CPUParticles3D.preprocess CPUParticles3D.speed_scale GLTFState.bake_fps GPUParticles2D.lifetime
	GPUParticles2D.preprocess GPUParticles2D.speed_scale GPUParticles2D.trail_lifetime GPUParticles3D.lifetime
	GPUParticles3D.preprocess GPUParticles3D.speed_scale GPUParticles3D.trail_lifetime HTTPRequest.timeout
	IterateIK3D.angular_delta_limit IterateIK3D.min_distance LimitAngularVelocityModifier3D.max_angular_velocity
	ParticleProcessMaterial.inherit_velocity_ratio ParticleProcessMaterial.lifetime_randomness
	ParticleProcessMaterial.sub_emitter_frequency Range.max_value Range.min_value Range.page Range.step
	SpinBox.custom_arrow_step TextEdit.scroll_vertical Timer.wait_time
	`
	withoutSetter = `
	Animation.capture_included AudioStreamRandomizer.streams BoneMap.bonemap ShapeCast2D.collision_result
	ShapeCast3D.collision_result TileMap.layers TileSet.custom_data_layers TileSet.navigation_layers
	TileSet.occlusion_layers TileSet.physics_layers TileSet.terrain_sets
	`
)
