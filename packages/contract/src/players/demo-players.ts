/** Players of the demonstration, for its history and its platform (behaviour §7). */

const ACCOUNTS = `
xiaolong88 lucky_mei hongyun2026 ah_qiang sunnyday mr_zhou dafacai168 feifei520 guangdong_lao
tiger1998 moonlight77 chen_yu laowang01 jinli666 snowfox beijing_boy kaixin_guo nanhai12
zhangwei_a panda_bao rainbow_li wuxi_fish tea_master hao_yun_lai amber_lin sichuan_la blue_whale
jiangnan99 xu_dong milk_tea7 dongfang_k yueguang linlin0304 big_head_he starfish_q taishan_5
xiaomeng old_captain hu_die_er fuzhou_chen peach_z king_of_mj liuliu66 windy_hill qianduoduo
sea_breeze yang_guang a_bao_888 north_star hangzhou_xu little_fatty ning_jing golden_oak pingan_fu
sam_tsang bamboo_88 cai_yun dream_catch tang_tang zhen_hao_1`
  .trim()
  .split(/\s+/);

export interface DemoPlayer {
  readonly player_id: string;
  readonly user_name: string;
}

export const DEMO_PLAYERS: readonly DemoPlayer[] = ACCOUNTS.map((user_name, index) => ({
  player_id: `demo-${String(index + 1).padStart(3, "0")}`,
  user_name,
}));
