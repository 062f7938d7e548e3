/* text.h: written by tests/golden/text.py with tokenizers 0.23.3. */
#define TEXT_WORDS 51
#define TEXT_SPACES 16
#define TEXT_SPECIALS 22
static const char *const text_words[] = {
    "the",
    " the",
    " and",
    "ing",
    " of",
    " Hello",
    " world",
    "re",
    " can't",
    "we'll",
    "I'M",
    "He'S",
    " naive",
    "na\303\257ve",
    "Stra\303\237e",
    " \304\260stanbul",
    " int main(void) {\012",
    "    return 0;\012",
    "\316\243\316\243",
    " 1234567",
    "3.14",
    "tokenizer",
    "un",
    "believ",
    "able",
    "\341\272\233\314\243",
    "e\314\201",
    "A\314\212",
    "\355\225\234\352\265\255\354\226\264",
    "\341\204\222\341\205\241\341\206\253",
    "\346\227\245\346\234\254\350\252\236",
    " caf\303\251",
    "don't",
    " do not",
    "x.",
    " ,",
    " ' ",
    "\342\226\201a",
    "'ll",
    "'LL",
    "'\305\277",
    "\357\254\201",
    "\302\275",
    "\342\221\240",
    "\357\267\272",
    "\340\270\263",
    "\342\200\215",
    "\357\270\217",
    "\360\237\221\250\342\200\215\360\237\221\251\342\200\215\360\237\221\247",
    "\360\237\207\251\360\237\207\252",
    "I\314\207"};
static const char *const text_spaces[] = {
    " ",
    "  ",
    "   ",
    "\012",
    "\015\012",
    "\012\012",
    "\011",
    "\302\240",
    "\343\200\200",
    "\342\200\203",
    "\302\205",
    "\013",
    "\341\232\200",
    " \012 ",
    "\342\200\213",
    "\341\240\216"};
static const char *const text_specials[] = {
    "[CLS]",
    "[SEP]",
    "[MASK]",
    " [MASK] ",
    "<|endoftext|>",
    "<mask>",
    " <mask>",
    "<mask> ",
    "<s>",
    "</s>",
    "<|begin_of_text|>",
    "low",
    " low ",
    "LOW",
    "Caf\303\211",
    "<|",
    "[UNK]",
    "[PAD]",
    "<unk>",
    "<0x41>",
    "\303\251",
    "\314\201"};
typedef struct text_case {
    const char *name, *model, *parts;
    unsigned hashes[50], pairs[5], more[10];
} text_case;
static const text_case text_cases[] = {
    {"gpt2", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: tr"
     "ue, \042use_regex\042: true}, \042post_processor\042: {\042type\042: \042ByteLevel\042, \042add_prefix_spac"
     "e\042: false, \042trim_offsets\042: false, \042use_regex\042: true}, \042decoder\042: {\042type\042: \042ByteL"
     "evel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: true}, \042add"
     "ed_tokens\042: [{\042id\042: 0, \042content\042: \042<|endoftext|>\042, \042single_word\042: false, \042lstrip"
     "\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042model\042: {\042ty"
     "pe\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null,",
     {0x0a04495e, 0xc4f9cff7, 0x2e77e3a4, 0xaf4f6943, 0x7f065448, 0x9666e0e7, 0xf5b21f86,
      0x78480372, 0x90772f70, 0x5d134284, 0xd71a9190, 0x34348154, 0xcc6323ea, 0x76f936ff,
      0xe7db9dc0, 0x62baf5b4, 0xb64abcb7, 0x2ac1f7c5, 0xf16a7ea4, 0x122f31c5, 0x7f3a6287,
      0xaf10240a, 0x847a80f8, 0xdffe6e76, 0x275a738b, 0xc8c40607, 0x7c066489, 0x49e80267,
      0x1a6e5382, 0x6686ef70, 0x454fc391, 0x72d7637b, 0x62345535, 0x8a3aaf41, 0x89fea92c,
      0xa11cbd80, 0xc5134efd, 0x8a64c563, 0xaeb496d0, 0xed12a91d, 0xacb47d25, 0x8bc8331b,
      0x469bb255, 0x7aa1628c, 0x3649c295, 0x5f6e078a, 0x3ee44bb3, 0x12173650, 0x0c62b89f,
      0xc0bbb45c},
     {0x76c50bbb, 0xeb3dc3ad, 0xd63d19a3, 0x144e661c, 0x17754a5c},
     {0x1b20a2fc, 0x168ddc83, 0x547a700d, 0x3ac56dd8, 0xe8657db9, 0x32f5168d, 0xa8e5125c,
      0x369b1efb, 0x73ae7494, 0x45ffc3b4}},
    {"roberta", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: true, \042trim_offsets\042: tru"
     "e, \042use_regex\042: true}, \042post_processor\042: {\042type\042: \042RobertaProcessing\042, \042sep\042: [\042"
     "</s>\042, 2], \042cls\042: [\042<s>\042, 1], \042trim_offsets\042: true, \042add_prefix_space\042: true}, \042"
     "decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true,"
     " \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 1, \042content\042: \042<s>\042, \042single_word\042:"
     " false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true},"
     " {\042id\042: 2, \042content\042: \042</s>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: f"
     "alse, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042content\042: \042<mask>\042, \042sin"
     "gle_word\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special"
     "\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null,",
     {0x8eec7bad, 0x4b283c1b, 0x6165f2d2, 0xbc5ed728, 0xbcf1be0f, 0x441a1c11, 0x26154f45,
      0x9484bae1, 0x1725f483, 0x2dcd1d82, 0xd78929f5, 0x414e80c5, 0x569bdecf, 0x8beb83dd,
      0xde1c646c, 0x2dc42a95, 0xdf107d8d, 0x8ed2ca9a, 0xe0b96c5a, 0xe6fde028, 0x557bbf78,
      0x80871eaf, 0x711210c3, 0x3dc33bb5, 0x981820df, 0xb57a6f21, 0xe9f06db4, 0x1233ea53,
      0x6661dde4, 0xe3d5b08c, 0xe3c0d3e1, 0xe319b15d, 0x0df4f0e8, 0x1cd1147d, 0xcaff80ef,
      0x803d6f75, 0x76c9b8e3, 0x38da0b90, 0x67c4d428, 0x72743520, 0xc0ddada3, 0x4e052643,
      0xb6f34bd2, 0x1bfae54b, 0xd85f4a5d, 0x509565cf, 0xd90a9c31, 0x3354c9d1, 0x09018ecc,
      0x9d65fc13},
     {0x1719ff77, 0xd4a39eaf, 0x0d72e4d0, 0x4e88637e, 0xd656f012},
     {0x42fbf10f, 0xbe6aab75, 0x0af9a06a, 0x8e5b2acf, 0xb6b9f3db, 0x5dc6d068, 0xb5453b90,
      0x157f740f, 0xe61a7781, 0x709226bd}},
    {"llama3", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042(\077i:'s|'t|'re|'ve|'m|'ll|'d)|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077\134\134p{L}+|\134\134p{N}{1,"
     "3}| \077[^\134\134s\134\134p{L}\134\134p{N}]+[\134\134r\134\134n]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|\134\134s+\042}, \042behavior\042: "
     "\042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042"
     "trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042: {\042type\042: \042Sequence"
     "\042, \042processors\042: [{\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets"
     "\042: true, \042use_regex\042: true}, {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042Special"
     "Token\042: {\042id\042: \042<|begin_of_text|>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042ty"
     "pe_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: \042<|begin_of_text|>\042, \042type_id\042: 0"
     "}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042: {\042id\042: \042<|begin_of"
     "_text|>\042, \042type_id\042: 1}}, {\042Sequence\042: {\042id\042: \042B\042, \042type_id\042: 1}}], \042special_tok"
     "ens\042: {\042<|begin_of_text|>\042: {\042id\042: \042<|begin_of_text|>\042, \042ids\042: [4], \042tokens\042: [\042"
     "<|begin_of_text|>\042]}}}]}, \042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: f"
     "alse, \042trim_offsets\042: true, \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042cont"
     "ent\042: \042<|endoftext|>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042"
     "normalized\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042<|begin_of_text|>\042, "
     "\042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042sp"
     "ecial\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null, \042ig"
     "nore_merges\042: true,",
     {0xb1cff2f5, 0xc67cab04, 0xf9b9d5df, 0x29c4b890, 0x4d74b33e, 0x1bcc7c8b, 0xcb93f646,
      0xc75483bb, 0x203afd5b, 0x593d66b8, 0xe17b3e23, 0x0686ac36, 0x936e0ecc, 0x8c1193bf,
      0xe19707fe, 0x7653bbe8, 0x6923cc18, 0x9c0b1490, 0x70e294f1, 0x4ef7d2ed, 0xcdfa7087,
      0x44ef82e9, 0x19b7f6f7, 0x48b25191, 0x16f0ac6c, 0x60a8a54a, 0x01649079, 0x687bce0d,
      0x73ebdf87, 0xd21ecf40, 0x4203d27f, 0xdec6c89c, 0xd27d85f2, 0xe7c046f6, 0x79ad582e,
      0x5be9c449, 0xf116895f, 0x140eee80, 0xd2b54c4b, 0xaee53ec8, 0xe75ace12, 0x9a101eb0,
      0x92aa5af8, 0x13366939, 0x8081bfc0, 0xc340127b, 0xceab6ebd, 0x03915641, 0x39dab0db,
      0xd896f8cc},
     {0xcfbf5eb8, 0x1f8e2fda, 0x4a3e1fae, 0xcb77d17a, 0xff54f22b},
     {0xa4081e57, 0x823b826d, 0x07f2d2e2, 0x7e2ae710, 0xdf220f17, 0x28f7436a, 0x72fdfab6,
      0xe01ee2df, 0x73b807eb, 0x95a5991e}},
    {"qwen2", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "NFC\042}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042,"
     " \042pattern\042: {\042Regex\042: \042(\077i:'s|'t|'re|'ve|'m|'ll|'d)|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077\134\134p{L}"
     "+|\134\134p{N}| \077[^\134\134s\134\134p{L}\134\134p{N}]+[\134\134r\134\134n]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|\134\134s+\042}, \042behav"
     "ior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: fa"
     "lse, \042trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042: {\042type\042: \042By"
     "teLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: false, \042use_regex\042: true}, "
     "\042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true"
     ", \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|endoftext|>\042, \042si"
     "ngle_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042speci"
     "al\042: true}, {\042id\042: 900, \042content\042: \042low\042, \042single_word\042: true, \042lstrip\042: false, "
     "\042rstrip\042: false, \042normalized\042: true, \042special\042: false}, {\042id\042: 901, \042content\042: \042"
     "e\134u0301\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: "
     "true, \042special\042: false}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042:"
     " null,",
     {0xcf74dc13, 0x91dd1e42, 0x4983d201, 0x15f2c0bf, 0x7bee6f68, 0x1b0c6914, 0xc3a7530e,
      0x755c3673, 0x8fba4a26, 0x9635f914, 0x3af9c486, 0x2f2d2e9c, 0xa38a1977, 0xa037862c,
      0x1936e40e, 0x29983edd, 0x4b342a40, 0x3bec4174, 0x8c94255f, 0xc185c871, 0xcf3d2f1d,
      0xdc8cc3a2, 0xa503a202, 0xd8701815, 0x821aea54, 0xaf0fb080, 0x0838f283, 0xc9a483f1,
      0x73cebc95, 0x710c7d2e, 0xd0ca10b2, 0xe69dd987, 0xf4122527, 0xf919b742, 0xab972a70,
      0x36d8b062, 0x83465c21, 0xa5562521, 0x8ff92e7a, 0xbbfb98c4, 0x66fee6e5, 0x8bd03ac8,
      0x8d2f6f94, 0x2d5fa53f, 0x2f5aa630, 0xdf818411, 0x3753077c, 0x7661b798, 0x7091c220,
      0x3954e1a2},
     {0x11a5fb6e, 0xcb4d1ac5, 0xf9bc27cd, 0xa926b4e5, 0xbe8e5102},
     {0xeb1860b1, 0xef8d9c04, 0xc683cdec, 0x46b4d813, 0x3f764c65, 0x42720987, 0xea99c5f7,
      0x68face01, 0x2a53384b, 0x9c110313}},
    {"bert", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "BertNormalizer\042, \042clean_text\042: true, \042handle_chinese_chars\042: true, \042strip_accent"
     "s\042: null, \042lowercase\042: true}, \042pre_tokenizer\042: {\042type\042: \042BertPreTokenizer\042}, \042po"
     "st_processor\042: {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042SpecialToken\042: {\042id\042:"
     " \042[CLS]\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToke"
     "n\042: {\042id\042: \042[SEP]\042, \042type_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: \042[CLS]\042, \042"
     "type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042: {\042id\042: "
     "\042[SEP]\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042B\042, \042type_id\042: 1}}, {\042SpecialToken"
     "\042: {\042id\042: \042[SEP]\042, \042type_id\042: 1}}], \042special_tokens\042: {\042[CLS]\042: {\042id\042: \042[CLS]\042, "
     "\042ids\042: [2], \042tokens\042: [\042[CLS]\042]}, \042[SEP]\042: {\042id\042: \042[SEP]\042, \042ids\042: [3], \042tokens\042:"
     " [\042[SEP]\042]}}}, \042decoder\042: {\042type\042: \042WordPiece\042, \042prefix\042: \042##\042, \042cleanup\042: true}"
     ", \042added_tokens\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false, \042lstrip\042:"
     " false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042conte"
     "nt\042: \042[UNK]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalize"
     "d\042: false, \042special\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_word\042: false,"
     " \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042:"
     " 3, \042content\042: \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, "
     "\042normalized\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042, \042single_wo"
     "rd\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special\042: tru"
     "e}], \042model\042: {\042type\042: \042WordPiece\042, \042unk_token\042: \042[UNK]\042, \042continuing_subword_pr"
     "efix\042: \042##\042, \042max_input_chars_per_word\042: 100,",
     {0x555ba1d1, 0xad50d8f5, 0x8eb1dd9b, 0x0913a931, 0xb5964565, 0xa87056f2, 0xbc3e3203,
      0x43b30471, 0x14e9af40, 0xd7416bd3, 0xeab9787e, 0xdedad99b, 0x27e9d0d7, 0x6b3d50ce,
      0x6b43d6cf, 0xd6b47b48, 0xffdfa3ee, 0x8a587e32, 0x79bb5e61, 0xf3a238ed, 0x27836536,
      0x3840faaa, 0x5d201d9f, 0xce7919f9, 0x84150e12, 0x01bd3ae9, 0xcd8748b3, 0x43c0cca3,
      0xd897e670, 0x2275eb7b, 0x25ddd2df, 0x36863f2a, 0x50351c6a, 0x05f609e9, 0xcc3c8dfd,
      0x987dcc4a, 0xfd5384e6, 0x53fd399c, 0xac2e2b65, 0x9a2fca22, 0xae0fbdca, 0xfadd1b6a,
      0x9872d2f9, 0x0b9d8b4b, 0xef598639, 0x6b79999f, 0x66c6e043, 0x28007634, 0x52c31573,
      0x9cc14d4c},
     {0x9f66349f, 0xf6ec382b, 0xf64c619f, 0xfd39c12d, 0xe69608ba},
     {0x4c6a097b, 0xc6b822de, 0x358e656a, 0x0125dca6, 0xc9618a00, 0xf7328fd4, 0x5c527fb7,
      0xdbaee29b, 0x8bf912fa, 0x8b9d8696}},
    {"bert_cased", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "BertNormalizer\042, \042clean_text\042: true, \042handle_chinese_chars\042: true, \042strip_accent"
     "s\042: null, \042lowercase\042: false}, \042pre_tokenizer\042: {\042type\042: \042BertPreTokenizer\042}, \042p"
     "ost_processor\042: {\042type\042: \042BertProcessing\042, \042sep\042: [\042[SEP]\042, 3], \042cls\042: [\042[CLS]\042,"
     " 2]}, \042decoder\042: {\042type\042: \042WordPiece\042, \042prefix\042: \042##\042, \042cleanup\042: false}, \042added"
     "_tokens\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false, \042lstrip\042: false, "
     "\042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042[U"
     "NK]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: fals"
     "e, \042special\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_word\042: false, \042lstrip"
     "\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042con"
     "tent\042: \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normali"
     "zed\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042, \042single_word\042: fal"
     "se, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042mo"
     "del\042: {\042type\042: \042WordPiece\042, \042unk_token\042: \042[UNK]\042, \042continuing_subword_prefix\042: \042"
     "##\042, \042max_input_chars_per_word\042: 100,",
     {0xdb7cc162, 0xbdfbeaf9, 0x19a42e86, 0x9ac946b4, 0x512f2f52, 0xd0a28731, 0x58a7dfbb,
      0x8496623f, 0x7e9e6eda, 0x739d1e96, 0x4646ce38, 0x927590b9, 0x818c3920, 0xd96f6bc4,
      0xed7728a3, 0x9b508b49, 0x7659d967, 0x9bcad9d7, 0xe3a7d8d1, 0x02338649, 0x808eae51,
      0x346fee71, 0x243f4fc4, 0x81d6f29f, 0x09847483, 0x575469cf, 0xbee6b491, 0x4f00e119,
      0x833ff61f, 0xaf878a8c, 0x7128a67c, 0x6ce210ac, 0xa7786b77, 0x736739d5, 0xfdd0212c,
      0x293fe578, 0x6745b2d5, 0x2f25cd0d, 0x43dad116, 0x5a1314f5, 0x577576f8, 0x152f1965,
      0xc337e968, 0xb826bf9b, 0x58dd10c4, 0x74284f53, 0x07a29f63, 0x8b65148d, 0xca48c4ce,
      0xfd9995b8},
     {0xafa3e288, 0xde4182a2, 0x02a5f1a9, 0x390a57df, 0x567ae8da},
     {0xb8d32d93, 0x4cdb91e4, 0x281f5b3d, 0x051b243a, 0x5b12947e, 0xd5cdbcee, 0x5f0b67e5,
      0xd57bb429, 0xcaa835ba, 0xac865443}},
    {"nfkd", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042NFKD\042}, {\042type\042: \042Lowercase\042}, {\042type\042: \042St"
     "ripAccents\042}]}, \042pre_tokenizer\042: {\042type\042: \042Whitespace\042}, \042post_processor\042: null,"
     " \042decoder\042: {\042type\042: \042WordPiece\042, \042prefix\042: \042##\042, \042cleanup\042: true}, \042added_token"
     "s\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false, \042lstrip\042: false, \042rstri"
     "p\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042[UNK]\042, "
     "\042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042sp"
     "ecial\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_word\042: false, \042lstrip\042: fal"
     "se, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042content\042:"
     " \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: "
     "false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042, \042single_word\042: false, \042l"
     "strip\042: true, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 600"
     ", \042content\042: \042Caf\134u00c9\042, \042single_word\042: false, \042lstrip\042: true, \042rstrip\042: true, "
     "\042normalized\042: true, \042special\042: false}], \042model\042: {\042type\042: \042WordPiece\042, \042unk_toke"
     "n\042: \042[UNK]\042, \042continuing_subword_prefix\042: \042##\042, \042max_input_chars_per_word\042: 9,",
     {0x6794d9de, 0x518a970a, 0xd778d230, 0x9a245e41, 0xc5c44357, 0xa9d10a23, 0x55ba4cff,
      0xd5557f23, 0x06d09730, 0x89b3df86, 0xe508dcf7, 0xf5243d90, 0x29c8dff5, 0xb6802e3b,
      0xda30597a, 0x477cd1be, 0x92fc7856, 0x5670083f, 0x8389cf57, 0x3c1c597e, 0x5ffc45b0,
      0x07c4d959, 0x6976ea04, 0xadcb2458, 0xe34893d9, 0x30528123, 0xefb1c572, 0x622eb587,
      0x961d72a2, 0xd85ee9e2, 0x5990e1ba, 0x76687f51, 0xb94b4c25, 0xd96e506f, 0x92de614b,
      0x32564d78, 0xc8f6a1c3, 0x567eb12e, 0x56d8331d, 0x6c2bcdf9, 0x0ed35a9c, 0xf6b6cb97,
      0x88579cf4, 0x6c176051, 0x2efbb46d, 0x417b4a4f, 0x7362f91a, 0xe48bb416, 0x70b60642,
      0xa1aa3b03},
     {0xad680602, 0x0e2fa7e5, 0x53f31be7, 0xdbb7e740, 0x5752453a},
     {0x83d5e0ee, 0xdd54ccb6, 0x7dcbca8b, 0xfcbd9dfe, 0x37a83225, 0x6b11ad21, 0x3992e967,
      0xca66e8be, 0x3af36cfa, 0x1983be54}},
    {"nfkc", "piece",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042NFKC\042}, {\042type\042: \042Strip\042, \042strip_left\042: tru"
     "e, \042strip_right\042: true}]}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042"
     ": [{\042type\042: \042WhitespaceSplit\042}, {\042type\042: \042Punctuation\042, \042behavior\042: \042Contiguous\042"
     "}, {\042type\042: \042Digits\042, \042individual_digits\042: true}]}, \042post_processor\042: null, \042dec"
     "oder\042: null, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042[PAD]\042, \042single_word\042: false"
     ", \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042"
     ": 1, \042content\042: \042[UNK]\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false,"
     " \042normalized\042: false, \042special\042: true}, {\042id\042: 2, \042content\042: \042[CLS]\042, \042single_wo"
     "rd\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: tr"
     "ue}, {\042id\042: 3, \042content\042: \042[SEP]\042, \042single_word\042: false, \042lstrip\042: false, \042rstri"
     "p\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 4, \042content\042: \042[MASK]\042,"
     " \042single_word\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: false, \042sp"
     "ecial\042: true}], \042model\042: {\042type\042: \042WordPiece\042, \042unk_token\042: \042[UNK]\042, \042continuing"
     "_subword_prefix\042: \042##\042, \042max_input_chars_per_word\042: 100,",
     {0xcf29c93b, 0xd09e2dad, 0x38f7682b, 0x4f15ab2b, 0xcb825836, 0x9fb88a69, 0xbe80a26e,
      0xe0540d1e, 0xe5718ff6, 0x1c8e922a, 0xaedb1a4e, 0x243beaec, 0xdcdbdaee, 0x6e9254e4,
      0xabb554c3, 0xbe912d19, 0x177e0ab4, 0xd2b150d8, 0x8df3c025, 0x4bff5170, 0xf3ea9e00,
      0xa113c0f7, 0x453daf55, 0x685e9199, 0x9dd48399, 0x910c75b9, 0xad3f5090, 0xd413fc6a,
      0x346381ee, 0xcad6c4b2, 0xecec55f3, 0xd5824679, 0xf6770dbe, 0x45ec0f83, 0xf76d7f76,
      0xf6b0e7b6, 0x62ade882, 0x5de1567d, 0x63e2a5b7, 0x5b71c3f9, 0x6c18272e, 0x54040f96,
      0x4bb6198f, 0x46fd43b1, 0x2b64efc8, 0x22de654d, 0x2154f846, 0x22957fa1, 0x8cb2120d,
      0x6e14de2d},
     {0x345e116a, 0x26e87c88, 0x8d020d0d, 0x02ade187, 0x56eb3fb4},
     {0xfea16f6e, 0x6e45ed3f, 0xf8d71727, 0x1dd73199, 0x149316bb, 0xe06d4643, 0x346a8d1d,
      0x495f1987, 0x11171074, 0x31fe7087}},
    {"llama2", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042Prepend\042, \042prepend\042: \042\134u2581\042}, {\042type\042: \042R"
     "eplace\042, \042pattern\042: {\042String\042: \042 \042}, \042content\042: \042\134u2581\042}]}, \042pre_tokenizer\042: nu"
     "ll, \042post_processor\042: {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042SpecialToken\042:"
     " {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}], \042pair\042:"
     " [{\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_"
     "id\042: 0}}, {\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 1}}, {\042Sequence\042: {\042id\042: \042B\042"
     ", \042type_id\042: 1}}], \042special_tokens\042: {\042<s>\042: {\042id\042: \042<s>\042, \042ids\042: [1], \042tokens\042:"
     " [\042<s>\042]}}}, \042decoder\042: {\042type\042: \042Sequence\042, \042decoders\042: [{\042type\042: \042Replace\042, \042p"
     "attern\042: {\042String\042: \042\134u2581\042}, \042content\042: \042 \042}, {\042type\042: \042ByteFallback\042}, {\042type"
     "\042: \042Fuse\042}, {\042type\042: \042Strip\042, \042content\042: \042 \042, \042start\042: 1, \042stop\042: 0}]}, \042added_t"
     "okens\042: [{\042id\042: 0, \042content\042: \042<unk>\042, \042single_word\042: false, \042lstrip\042: false, \042r"
     "strip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042<s>\042"
     ", \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042"
     "special\042: true}, {\042id\042: 2, \042content\042: \042</s>\042, \042single_word\042: false, \042lstrip\042: fa"
     "lse, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042model\042: {\042type\042: "
     "\042BPE\042, \042dropout\042: null, \042unk_token\042: \042<unk>\042, \042byte_fallback\042: true, \042fuse_unk\042:"
     " true,",
     {0x8ad4cf89, 0x3913fcd6, 0x18031ea2, 0xef0be044, 0xea45573f, 0xfa1ff960, 0xd0c76a35,
      0x07967173, 0x7e1e1abd, 0x0b2a965b, 0x26137634, 0xe9346251, 0x379ac28c, 0x05248703,
      0x32c8ffa8, 0xbe2f7443, 0xd473fd88, 0x8b876fcb, 0xa2ceace2, 0x57df8ff8, 0xd8300692,
      0x9c6a7ede, 0x978cfc14, 0x2cb2a2e8, 0x9bcf590a, 0x432d54c6, 0x41a4499e, 0xd635bf34,
      0x22d801a3, 0x838893e5, 0xdc7f8d1c, 0xc7f9aa96, 0xf41843c4, 0xcc15ebcf, 0xf5876363,
      0xfc1cfd41, 0xf0e3369b, 0x9c7fcfdf, 0x720f614f, 0x224410b4, 0x27a7aeb7, 0xca2c49d9,
      0x12354ace, 0x1cac8ced, 0xd3c39f0d, 0xf3b1a3e4, 0x21901c6a, 0x8a4216df, 0xb7bd0acd,
      0x7417a4a7},
     {0x033a05df, 0xcad7a53f, 0xf7801b8a, 0x86d64cf0, 0x55938ab9},
     {0xbb1b8da4, 0x40dd4d71, 0x2b5d7cf2, 0x70048300, 0xff967eec, 0x0782e8d9, 0xf2a9802c,
      0x8e3407ba, 0x41c6861b, 0x12f139d7}},
    {"letters", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "NFD\042}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042,"
     " \042pattern\042: {\042String\042: \042a\042}, \042behavior\042: \042MergedWithNext\042, \042invert\042: false}, {\042t"
     "ype\042: \042Split\042, \042pattern\042: {\042String\042: \042 \042}, \042behavior\042: \042MergedWithPrevious\042, \042in"
     "vert\042: false}, {\042type\042: \042Digits\042, \042individual_digits\042: false}]}, \042post_processor"
     "\042: null, \042decoder\042: null, \042added_tokens\042: [], \042model\042: {\042type\042: \042BPE\042, \042dropout\042"
     ": null, \042unk_token\042: \042<unk>\042, \042fuse_unk\042: false, \042continuing_subword_prefix\042: nu"
     "ll,",
     {0xd76030f1, 0xf533c834, 0xa441419c, 0xf094c6b0, 0xdd307341, 0x1a572d0a, 0x97e7b574,
      0x76e3be1d, 0xb6a6c497, 0x2eba2e7f, 0x1dbfbd9b, 0xf86c8ed0, 0x6e4a1b14, 0xc5f99691,
      0xa6bed9ce, 0x62c11bfd, 0x488da581, 0x5f6bc032, 0x0172dd97, 0xa993ebd2, 0x8985d71c,
      0x277789a7, 0xc56f6f4d, 0x6f658d95, 0x05d0e8b7, 0xe7e5a825, 0x8506e6af, 0x06f64855,
      0xea4c10f3, 0x636d6500, 0xf0944064, 0x7a948ea4, 0x961b5a34, 0x080ba856, 0x527c52ab,
      0xef329d5f, 0xcbe4bc2d, 0xfe00564c, 0xd40c72df, 0x47e1790a, 0x0e5793be, 0xa4e0fe7b,
      0x5c834d1f, 0x0c00f26a, 0x1848940a, 0xefe8e725, 0x944e0501, 0xf5849137, 0x1f52af10,
      0xbcc2a130},
     {0x9c7f68d5, 0x54b56d83, 0x02b0eb79, 0x480c92bb, 0xcd0b615b},
     {0x1304a667, 0x64fc0686, 0x0c943605, 0xa3b2296d, 0x092477eb, 0x7ab83fda, 0x6593d13c,
      0xe038b032, 0x595f8c82, 0xa2284a21}},
    {"fused", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042's|'t|'re|'ve|'m|'ll|'d| \077\134\134p{L}+| \077\134\134p{N}+| \077[^\134\134s\134\134p{L}\134\134p{N}]+|\134\134"
     "s+(\077!\134\134S)|\134\134s+\042}, \042behavior\042: \042Removed\042, \042invert\042: true}, {\042type\042: \042Punctuation\042"
     ", \042behavior\042: \042MergedWithNext\042}]}, \042post_processor\042: null, \042decoder\042: {\042type\042: \042"
     "Fuse\042}, \042added_tokens\042: [], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token"
     "\042: \042<unk>\042, \042fuse_unk\042: true,",
     {0x51eacb74, 0xf8d63e84, 0x18a3a77c, 0x7f3b9f05, 0xed9113eb, 0x4499d588, 0x0e13cd56,
      0x3852e85f, 0xce0c8ecc, 0x993dfe75, 0xc1cd30f5, 0xc4bac1ea, 0x34ca2b31, 0x6c13913b,
      0x59d588fc, 0xe2b66f67, 0xb9812f63, 0x55914c42, 0x2685cdbf, 0xdb795044, 0xd9005dae,
      0x03bc3077, 0x4d6b7717, 0x8eadceaa, 0x5572fadc, 0x6b2ab0aa, 0xfb5330b1, 0x500bfd59,
      0xa25813b8, 0xa2b0c4a4, 0x8b107ba5, 0xa0bee0c3, 0x8ea4e274, 0x22aceee3, 0x423917ea,
      0x24727abd, 0x42b9bb5a, 0x1ee2b314, 0xab98d8fc, 0xe8973eb9, 0xc3ae77f1, 0x23c08259,
      0x5543d798, 0xa00f443a, 0xd06371bb, 0xa6e3b894, 0xb1328ae6, 0x8ffa975a, 0xebe16e31,
      0x898fd28f},
     {0x112b86e0, 0x1ab01067, 0x4347b904, 0x4000af35, 0x17074006},
     {0x8d8a3508, 0x302be2b1, 0x018eaa9f, 0xed2f10f7, 0xcc63320d, 0xc3a9af85, 0x4913091c,
      0xc76e6e43, 0x47e21c67, 0x4a0e3aff}},
    {"gpt4o", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077[\134\134p{Lu}\134\134p{Lt}\134\134p{Lm}\134\134p{Lo}\134\134p{M}]*[\134\134p{Ll}\134"
     "\134p{Lm}\134\134p{Lo}\134\134p{M}]+(\077i:'s|'t|'re|'ve|'m|'ll|'d)\077|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077[\134\134p{Lu"
     "}\134\134p{Lt}\134\134p{Lm}\134\134p{Lo}\134\134p{M}]+[\134\134p{Ll}\134\134p{Lm}\134\134p{Lo}\134\134p{M}]*(\077i:'s|'t|'re|'ve|'m"
     "|'ll|'d)\077|\134\134p{N}{1,3}| \077[^\134\134s\134\134p{L}\134\134p{N}]+[\134\134r\134\134n/]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|"
     "\134\134s+\042}, \042behavior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_pre"
     "fix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042"
     ": {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: false, \042use_r"
     "egex\042: true}, \042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_"
     "offsets\042: true, \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|end"
     "oftext|>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042:"
     " false, \042special\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042"
     ": null,",
     {0xdfeb3a7a, 0x34a8cfd7, 0x3c8eb257, 0x2a123554, 0x72048fde, 0x904cb4d4, 0xa220f379,
      0x590cf4c7, 0x3b42298e, 0x5d134284, 0x1362129d, 0x917989b5, 0xcc6323ea, 0x76f936ff,
      0x77379e7b, 0x85e571df, 0xb33adba0, 0x4ddad47f, 0xe8c82f1f, 0xd7a0aa18, 0xd7369954,
      0xb229b21d, 0x50c48bcc, 0xf044f79a, 0xc42a7bef, 0x6ea328b3, 0x375055d9, 0x44ac42b7,
      0x978b17ad, 0x5f450192, 0x2ecac8d8, 0xa9949989, 0x62345535, 0xbb39b363, 0xc0af60af,
      0x13c0c9de, 0x255aea11, 0xef060ee3, 0x547b6ad0, 0xdcc892b9, 0x18787c44, 0x8d8443c0,
      0xc3737f4e, 0xa57f5ae0, 0xfa7b1539, 0x6bdc7bdf, 0x2d67342d, 0x476d7271, 0xd328c2ca,
      0x35ba4b5b},
     {0x76c50bbb, 0x88150733, 0xd63d19a3, 0xc3f703e4, 0x58d97cbb},
     {0x1274e87d, 0xa2a5107b, 0xc7de6b94, 0xa4604843, 0x53d9f635, 0x43c947a3, 0xc6f13ef5,
      0xfbbd9600, 0xf80e407e, 0x1add77e8}},
    {"tekken", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077[\134\134p{Lu}\134\134p{Lt}\134\134p{Lm}\134\134p{Lo}\134\134p{M}]*[\134\134p{Ll}\134"
     "\134p{Lm}\134\134p{Lo}\134\134p{M}]+|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077[\134\134p{Lu}\134\134p{Lt}\134\134p{Lm}\134\134p{Lo}\134\134p{M}]"
     "+[\134\134p{Ll}\134\134p{Lm}\134\134p{Lo}\134\134p{M}]*|\134\134p{N}| \077[^\134\134s\134\134p{L}\134\134p{N}]+[\134\134r\134\134n/]*|\134\134s*[\134\134r\134"
     "\134n]+|\134\134s+(\077!\134\134S)|\134\134s+\042}, \042behavior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042Byt"
     "eLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: false}]},"
     " \042post_processor\042: null, \042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: fa"
     "lse, \042trim_offsets\042: true, \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 1, \042conte"
     "nt\042: \042<s>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042"
     ": false, \042special\042: true}, {\042id\042: 2, \042content\042: \042</s>\042, \042single_word\042: false, \042l"
     "strip\042: false, \042rstrip\042: true, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, "
     "\042content\042: \042<mask>\042, \042single_word\042: true, \042lstrip\042: true, \042rstrip\042: true, \042norma"
     "lized\042: false, \042special\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk"
     "_token\042: null, \042ignore_merges\042: true,",
     {0xb7a54758, 0x7be096b8, 0x85820bfb, 0xdc8be5dd, 0xbc40df5b, 0x7c5d03e7, 0x164008d1,
      0x19fdf2d8, 0xff125a5e, 0x10187859, 0x3fb77242, 0xcc59f5d5, 0x2f662a32, 0x0c1fa086,
      0x665d6214, 0x533d5868, 0x514b1070, 0xf06746fa, 0x9747d01c, 0x4c74827b, 0xe867879f,
      0x05534037, 0x3fbe6613, 0x329249e1, 0xceb8d2ef, 0x62cdbfc7, 0x4af70b56, 0x29d3c546,
      0xb5ca2c58, 0xb75b528e, 0x932cbb5e, 0x984480ed, 0x62b4e53d, 0x6da5b4fe, 0xec0e08d5,
      0x1237a519, 0x4e3561f3, 0x7e43bb75, 0x2186a118, 0x4813a97b, 0x6e89cd39, 0xbf37f941,
      0x8458e03d, 0x0794a4ff, 0x88c1be82, 0x1a972866, 0xe3a6b955, 0x0bc04007, 0x36c690cb,
      0x9a595280},
     {0xcb35a024, 0xa56d385f, 0xdc8dab5e, 0x276edeb1, 0x9f68e3a7},
     {0x02165eb4, 0x7c77c9d0, 0x360a7f5c, 0x7d92c13b, 0xafc435c6, 0xc2fb2437, 0xe61e8e67,
      0x5ea3cb49, 0x29c463d0, 0x5f0e3a13}},
    {"qwen35", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "NFC\042}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042,"
     " \042pattern\042: {\042Regex\042: \042(\077i:'s|'t|'re|'ve|'m|'ll|'d)|[^\134\134r\134\134n\134\134p{L}\134\134p{N}]\077[\134\134p{L"
     "}\134\134p{M}]+|\134\134p{N}| \077[^\134\134s\134\134p{L}\134\134p{M}\134\134p{N}]+[\134\134r\134\134n]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|"
     "\134\134s+\042}, \042behavior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_pre"
     "fix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042"
     ": {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true, \042use_re"
     "gex\042: true}, \042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_o"
     "ffsets\042: true, \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|endo"
     "ftext|>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: "
     "false, \042special\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042:"
     " null,",
     {0x92880581, 0xc7e8b219, 0xe30f29aa, 0xfb43c800, 0x68fe41e1, 0x672866eb, 0x4fb29d66,
      0x25a03750, 0x5f5e69a3, 0x24bd0ab6, 0x16756484, 0xaab9ce6f, 0x3c4f17c9, 0x90673b48,
      0x807dbbd4, 0x9ff9960a, 0xaa53c1cc, 0xe8472d99, 0x5464c017, 0xcfdb0563, 0x6a3e8ef6,
      0x0523a824, 0x3edbd38b, 0x0a17545d, 0x661c8f46, 0x397881e9, 0xc9d42bb2, 0x4bee02cb,
      0x9b0bd522, 0xd3b68ea0, 0xc85d1f9d, 0x89cbd2bc, 0x5a4b0ada, 0x01432851, 0xc5aef45b,
      0x47c2806f, 0x18d39a03, 0xaf221116, 0x47a53c4d, 0xeaaebf5a, 0x6b1c4cdd, 0xe6b139ab,
      0x2008a43a, 0xf7aff38f, 0x1e0429df, 0x1f7070ad, 0xa61462b1, 0x5f590c06, 0x8d96dc45,
      0xe7c7a059},
     {0xa5f3744e, 0x5631fcbf, 0x157fbd2d, 0xe414a2f8, 0xdef91a7e},
     {0x36a5aac8, 0x79355d95, 0xb60f71cf, 0xa53d808a, 0xc2a6ebba, 0xa5e8cc8b, 0x0bc2cb1b,
      0xb6237478, 0xac0a1a4e, 0x614d26a9}},
    {"deepseek", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042:"
     " {\042Regex\042: \042\134\134p{N}{1,3}\042}, \042behavior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042S"
     "plit\042, \042pattern\042: {\042Regex\042: \042[\134u4e00-\134u9fa5\134u3040-\134u309f\134u30a0-\134u30ff]+\042}, \042beha"
     "vior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042Split\042, \042pattern\042: {\042Regex\042: \042[!\134"
     "\134\134\042#$%&'()*+,\134\134-./:;<=>\077@\134\134[\134\134\134\134\134\134]^_`{|}~][A-Za-z]+|[^\134\134r\134\134n\134\134p{L}\134\134p{P}\134\134p{S}]"
     "\077[\134\134p{L}\134\134p{M}]+| \077[\134\134p{P}\134\134p{S}]+[\134\134r\134\134n]*|\134\134s*[\134\134r\134\134n]+|\134\134s+(\077!\134\134S)|\134\134s+\042}, \042b"
     "ehavior\042: \042Isolated\042, \042invert\042: false}, {\042type\042: \042ByteLevel\042, \042add_prefix_space\042"
     ": false, \042trim_offsets\042: true, \042use_regex\042: false}]}, \042post_processor\042: null, \042d"
     "ecoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true, "
     "\042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|endoftext|>\042, \042sing"
     "le_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special"
     "\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null,",
     {0x453d0da6, 0x7ef7f0e0, 0x3c8eb257, 0x95257140, 0xcfea6c9a, 0x904cb4d4, 0xe9301964,
      0xb3e279f1, 0x3b42298e, 0xd0c64732, 0x1362129d, 0xc2262b7d, 0x9863e55c, 0x76f936ff,
      0x6c40a5d6, 0x252ed163, 0xb33adba0, 0x4c8230bd, 0x46209c3c, 0xc5c4a8b1, 0x95d3e80f,
      0xb56e58eb, 0xc2b9751c, 0x98ebe0d0, 0xc0b660fa, 0xc3a79d8f, 0x633bcb15, 0xe0972a73,
      0x978b17ad, 0xa549a6da, 0x2ce4d9d6, 0x3f201e31, 0xb864c5bc, 0xb80123e2, 0x97e93e8b,
      0x9720a8bb, 0xf1a71416, 0x8990147f, 0x7a159d56, 0xdcc892b9, 0x18787c44, 0xee8e7ec9,
      0x469bb255, 0xb6ecc2a3, 0x9176c15d, 0x3e40391c, 0x90a3000a, 0xd485307f, 0x8bc4a33d,
      0x4fb46c06},
     {0xedddbab8, 0xc4a6644b, 0xd63d19a3, 0x36d3b711, 0x58d97cbb},
     {0xd4a699fb, 0xb824289b, 0xa751ebe4, 0x2f7011e3, 0x1a888880, 0x67d117ee, 0xeb05af90,
      0x479f7f98, 0x1e166370, 0xcd1a073c}},
    {"starcoder", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Digits\042, \042individu"
     "al_digits\042: true}, {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offset"
     "s\042: true, \042use_regex\042: true}]}, \042post_processor\042: {\042type\042: \042ByteLevel\042, \042add_pre"
     "fix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: true}, \042decoder\042: {\042type\042:"
     " \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: true"
     "}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|endoftext|>\042, \042single_word\042: false, "
     "\042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}], \042model"
     "\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: null,",
     {0xc92e016d, 0x5c887c13, 0xa8925f25, 0xc56c7bc5, 0xb35fe125, 0xbdc4c6f1, 0xeb914745,
      0xbb7fa2f9, 0x55aa8d16, 0x604341ac, 0xa3ea6d90, 0xc4fb1a82, 0xe4580f1c, 0xed9d35ff,
      0x7908713a, 0x1e0f35d4, 0x57d0e0c8, 0xb955b202, 0x373024ec, 0x10229387, 0x2ddf99d0,
      0xfff56482, 0xfe624f67, 0x43572013, 0xbac31463, 0x29ca601a, 0x6af09dfb, 0x907741ea,
      0x8d3faf9b, 0xdf6593ac, 0xf6601fc0, 0x33d9daa8, 0x495e0028, 0x05ce7ac0, 0x16dce733,
      0x8114b949, 0x0123bb4e, 0x62f0518d, 0x4039534c, 0x6be4fe87, 0x1e99c1b2, 0x701db9a2,
      0xbe80d34b, 0xaac4c4af, 0xc66bf9d6, 0x919151e1, 0x9572e757, 0xd98ff348, 0xabe29ebc,
      0x0e35215e},
     {0x479f2773, 0xbfbb86ca, 0xebd7cd76, 0xeabbb0a2, 0x283ab7bd},
     {0x170268ea, 0xa35f393e, 0x0570af9a, 0xfc14e093, 0x12db1d23, 0x2ba852e1, 0x76ceecb8,
      0x0dae9fb6, 0x9e899d69, 0x131ce25c}},
    {"clip", "byte_level",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042NFC\042}, {\042type\042: \042Replace\042, \042pattern\042: {\042Reg"
     "ex\042: \042\134\134s+\042}, \042content\042: \042 \042}, {\042type\042: \042Lowercase\042}]}, \042pre_tokenizer\042: {\042type\042"
     ": \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Split\042, \042pattern\042: {\042Regex\042: \042<\134\134|star"
     "toftext\134\134|>|<\134\134|endoftext\134\134|>|'s|'t|'re|'ve|'m|'ll|'d|[\134\134p{L}]+|[\134\134p{N}]|[^\134\134s\134\134"
     "p{L}\134\134p{N}]+\042}, \042behavior\042: \042Removed\042, \042invert\042: true}, {\042type\042: \042ByteLevel\042, \042a"
     "dd_prefix_space\042: false, \042trim_offsets\042: true, \042use_regex\042: false}]}, \042post_proc"
     "essor\042: null, \042decoder\042: {\042type\042: \042ByteLevel\042, \042add_prefix_space\042: false, \042trim_"
     "offsets\042: true, \042use_regex\042: true}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<|end"
     "oftext|>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042:"
     " true, \042special\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042:"
     " null,",
     {0x14c93b01, 0x585d09d4, 0x659ed9a1, 0xf13ff173, 0x14f2ef10, 0x6e4fa8eb, 0xd31550f7,
      0xfc19f3f4, 0x516765f5, 0x69b2eb73, 0x7f03c9db, 0x4ac9b201, 0xa5cbd649, 0xa2cea73b,
      0xa887f718, 0x8aaf7172, 0x1e233e34, 0xe0a3f02a, 0x740b4ccf, 0xa788306e, 0x1a81c2bd,
      0x3a2eab2b, 0x5f93a840, 0x17c84401, 0x0b09c9cd, 0xdceb7f7e, 0x1f4e02bf, 0xf5df5967,
      0x46a4d2ed, 0x1eb3dca9, 0x2ac93286, 0x2e359be7, 0xdf4045dd, 0x3fefba61, 0x4fb5cf33,
      0x812f8121, 0xf4302964, 0xa4085f14, 0x63d8ac5e, 0x2cc348c5, 0x483e1ee7, 0x5394fba6,
      0x36e9d693, 0x207b975b, 0x6aac77a0, 0xb18aea83, 0x31db61a6, 0xbd1a5646, 0x589e44c3,
      0x70a32b80},
     {0x1ae38ba5, 0x9a038125, 0x478fa0f4, 0xcc0e2b07, 0x75f54854},
     {0x3d5130e6, 0x9c033126, 0x88171aec, 0xeb98caad, 0x387fbc9c, 0x8c34aa01, 0x808e6213,
      0xed65dd31, 0x2518f20a, 0x31e5dfdc}},
    {"mistral", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: null, \042pre"
     "_tokenizer\042: {\042type\042: \042Metaspace\042, \042replacement\042: \042\134u2581\042, \042prepend_scheme\042: \042f"
     "irst\042, \042split\042: false}, \042post_processor\042: {\042type\042: \042TemplateProcessing\042, \042single"
     "\042: [{\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042typ"
     "e_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042"
     ": {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042: {\042id\042: \042<s>\042, \042type_id\042: 1}}, {\042S"
     "equence\042: {\042id\042: \042B\042, \042type_id\042: 1}}], \042special_tokens\042: {\042<s>\042: {\042id\042: \042<s>\042, \042"
     "ids\042: [1], \042tokens\042: [\042<s>\042]}}}, \042decoder\042: {\042type\042: \042Sequence\042, \042decoders\042: [{\042"
     "type\042: \042Replace\042, \042pattern\042: {\042String\042: \042\134u2581\042}, \042content\042: \042 \042}, {\042type\042: \042By"
     "teFallback\042}, {\042type\042: \042Fuse\042}, {\042type\042: \042Strip\042, \042content\042: \042 \042, \042start\042: 1, \042s"
     "top\042: 0}]}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<unk>\042, \042single_word\042: false,"
     " \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042:"
     " 1, \042content\042: \042<s>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042n"
     "ormalized\042: false, \042special\042: true}, {\042id\042: 2, \042content\042: \042</s>\042, \042single_word\042:"
     " false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}]"
     ", \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_token\042: \042<unk>\042, \042byte_fallback"
     "\042: true, \042fuse_unk\042: true,",
     {0xdc43fe29, 0xe76cd43c, 0xd790031a, 0x10731096, 0x70b7d3bf, 0xf6bdce6a, 0x0269ab4e,
      0x0288422b, 0x0973915d, 0x994fe6a7, 0x047aaa46, 0x1d223714, 0x29b92114, 0xbdc73c03,
      0x03e2f1f6, 0x7f69b577, 0x9c5b9ecd, 0x49e20c93, 0xa01ba646, 0xa4202f28, 0xbf2edce0,
      0x1d136ea8, 0x9a77c3c8, 0x87cae1fe, 0x8e1567ac, 0xc71e673e, 0x158c79bc, 0x24f6c596,
      0x67cb64ef, 0xc95e2b1b, 0x87c04c3c, 0xb72c81d6, 0x363fb42e, 0x52b2a16f, 0xc362c661,
      0xba77c7ff, 0x23ca2802, 0xfc59d657, 0xb6b3f489, 0x00109e2c, 0x2acbaf78, 0x8746e72d,
      0x29ff6774, 0x60bc7814, 0xbe83f8b8, 0xcacf1378, 0xfe1da8ce, 0xa901b777, 0x5416fcd9,
      0x49bbff20},
     {0x3f200af9, 0xf0076033, 0x0de28af9, 0x13ce68dd, 0x891a6e21},
     {0xac4833e7, 0x81d80624, 0xec479c1e, 0xdc22c69e, 0x333ef200, 0x499cb134, 0x7c831caf,
      0x9bc1570f, 0x2403413e, 0xab0b9216}},
    {"gemma", "letters",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Replace\042, \042pattern\042: {\042String\042: \042 \042}, \042content\042: \042\134u2581\042}, \042pre_tokenizer\042: {\042t"
     "ype\042: \042Split\042, \042pattern\042: {\042String\042: \042 \042}, \042behavior\042: \042MergedWithPrevious\042, \042in"
     "vert\042: false}, \042post_processor\042: null, \042decoder\042: {\042type\042: \042Sequence\042, \042decoders"
     "\042: [{\042type\042: \042Replace\042, \042pattern\042: {\042String\042: \042\134u2581\042}, \042content\042: \042 \042}, {\042type"
     "\042: \042ByteFallback\042}, {\042type\042: \042Fuse\042}]}, \042added_tokens\042: [{\042id\042: 0, \042content\042: \042<"
     "unk>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: fal"
     "se, \042special\042: true}, {\042id\042: 1, \042content\042: \042<s>\042, \042single_word\042: false, \042lstrip\042"
     ": false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 2, \042cont"
     "ent\042: \042</s>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalize"
     "d\042: false, \042special\042: true}], \042model\042: {\042type\042: \042BPE\042, \042dropout\042: null, \042unk_tok"
     "en\042: \042<unk>\042, \042byte_fallback\042: true, \042fuse_unk\042: true,",
     {0xc4bf4522, 0x2cc8a410, 0x6e38a820, 0xdcea7bb4, 0xcdda8394, 0xf599cd71, 0xe9e2586d,
      0x8b110636, 0xa57bb876, 0x400e8003, 0x122b948d, 0x661e1919, 0xed0a42a9, 0x9409de04,
      0xf257ad9d, 0x6fdd1d7f, 0xe436904d, 0xb9e2010d, 0x41142b14, 0xfbb18d1e, 0x2096d2d9,
      0x515306e7, 0x9105cf03, 0x39758597, 0x8df6b28e, 0x7017b4a6, 0xcf1ad62c, 0x5938f93f,
      0x4cb0d0c9, 0x2709bc21, 0x564b4d46, 0xcb7e4171, 0x6c04674b, 0xe78f9d4b, 0x2d095c50,
      0x3715405c, 0x0a2831c3, 0x5aa277b2, 0xdb318b7a, 0xbfc50986, 0x064ff220, 0x9d3d39d4,
      0x5aa49e59, 0x2dd25480, 0x030ae622, 0x9d9f4d57, 0x6f71daed, 0x7a86701e, 0x4e19c311,
      0x94362f43},
     {0xefb95a37, 0xefe7cfdb, 0x0cea420c, 0xfc9cbfc2, 0x8be811cf},
     {0x4846240b, 0xf863cce0, 0x35e21920, 0xc020df52, 0x370c7c26, 0x8277fea9, 0x481e3539,
      0x2f904f66, 0xd0c5214f, 0x6d4baf71}},
    {"t5", "unigram",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "Sequence\042, \042normalizers\042: [{\042type\042: \042NFKC\042}, {\042type\042: \042Replace\042, \042pattern\042: {\042Re"
     "gex\042: \042 {2,}\042}, \042content\042: \042 \042}]}, \042pre_tokenizer\042: {\042type\042: \042Metaspace\042, \042repla"
     "cement\042: \042\134u2581\042, \042prepend_scheme\042: \042always\042}, \042post_processor\042: {\042type\042: \042Temp"
     "lateProcessing\042, \042single\042: [{\042SpecialToken\042: {\042id\042: \042</s>\042, \042type_id\042: 0}}, {\042Se"
     "quence\042: {\042id\042: \042A\042, \042type_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: \042</s>\042, \042"
     "type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042: {\042id\042: "
     "\042</s>\042, \042type_id\042: 1}}, {\042Sequence\042: {\042id\042: \042B\042, \042type_id\042: 1}}], \042special_token"
     "s\042: {\042</s>\042: {\042id\042: \042</s>\042, \042ids\042: [1], \042tokens\042: [\042</s>\042]}}}, \042decoder\042: {\042type"
     "\042: \042Metaspace\042, \042replacement\042: \042\134u2581\042, \042prepend_scheme\042: \042always\042}, \042added_tok"
     "ens\042: [{\042id\042: 0, \042content\042: \042<pad>\042, \042single_word\042: false, \042lstrip\042: false, \042rst"
     "rip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042</s>\042,"
     " \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042s"
     "pecial\042: true}, {\042id\042: 2, \042content\042: \042<unk>\042, \042single_word\042: false, \042lstrip\042: fa"
     "lse, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, {\042id\042: 3, \042content\042"
     ": \042<s>\042, \042single_word\042: false, \042lstrip\042: true, \042rstrip\042: false, \042normalized\042: fa"
     "lse, \042special\042: true}], \042model\042: {\042type\042: \042Unigram\042, \042unk_id\042: 2, \042byte_fallback"
     "\042: false,",
     {0xf0b1e957, 0x21e62fb6, 0xf3660656, 0x932fd8df, 0xba143004, 0x58d64d93, 0x8fd48bb9,
      0x4b6a5585, 0xac0fcb3a, 0xa585126f, 0x07c6eb01, 0x22d9bd81, 0x182e89c8, 0x8b5718fb,
      0x5f6a20b4, 0xa8d479fb, 0x0440d3b4, 0xbbe57ac5, 0x8f7cd2a5, 0x9787ad89, 0x0a6f3fc8,
      0x62da73b8, 0xe0953561, 0x472bfee4, 0x22937766, 0xf49f82ce, 0x3ffdb730, 0x15f6b90d,
      0x572b71ec, 0x5bee084a, 0x1d9d1022, 0x0dc9361f, 0xc79b81ee, 0x2f202b71, 0x7d37cd72,
      0xc621cae2, 0x0560fafe, 0x34f49d63, 0x712686ae, 0xfeeb9b30, 0x41e666d7, 0x509ff87f,
      0xf862d4d2, 0x40528bc4, 0xb0ce03dc, 0xa40f4257, 0x49c197af, 0x283d7150, 0x2aaf874b,
      0x9c774423},
     {0xffae6a1c, 0x2e35f840, 0x5dd609b7, 0x7f60c1b8, 0x0d1342a4},
     {0x83912685, 0x22cab099, 0x617ee3a9, 0x64acc630, 0x2cba1166, 0x0e44f4d3, 0xed4237fb,
      0x2357d208, 0x6b61853e, 0x5f7294d1}},
    {"xlm", "unigram",
     "{\042version\042: \0421.0\042, \042truncation\042: null, \042padding\042: null, \042normalizer\042: {\042type\042: \042"
     "NFKD\042}, \042pre_tokenizer\042: {\042type\042: \042Sequence\042, \042pretokenizers\042: [{\042type\042: \042Whites"
     "paceSplit\042}, {\042type\042: \042Metaspace\042, \042replacement\042: \042\134u2581\042, \042prepend_scheme\042: \042f"
     "irst\042}]}, \042post_processor\042: {\042type\042: \042TemplateProcessing\042, \042single\042: [{\042SpecialT"
     "oken\042: {\042id\042: \042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042"
     "SpecialToken\042: {\042id\042: \042</s>\042, \042type_id\042: 0}}], \042pair\042: [{\042SpecialToken\042: {\042id\042: "
     "\042<s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042A\042, \042type_id\042: 0}}, {\042SpecialToken\042:"
     " {\042id\042: \042</s>\042, \042type_id\042: 0}}, {\042Sequence\042: {\042id\042: \042B\042, \042type_id\042: 1}}, {\042Speci"
     "alToken\042: {\042id\042: \042</s>\042, \042type_id\042: 1}}], \042special_tokens\042: {\042<s>\042: {\042id\042: \042<s>\042"
     ", \042ids\042: [3], \042tokens\042: [\042<s>\042]}, \042</s>\042: {\042id\042: \042</s>\042, \042ids\042: [1], \042tokens\042: ["
     "\042</s>\042]}}}, \042decoder\042: {\042type\042: \042Metaspace\042, \042replacement\042: \042\134u2581\042, \042prepend_s"
     "cheme\042: \042never\042}, \042added_tokens\042: [{\042id\042: 2, \042content\042: \042<unk>\042, \042single_word\042: "
     "false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: true}, "
     "{\042id\042: 3, \042content\042: \042<s>\042, \042single_word\042: false, \042lstrip\042: false, \042rstrip\042: fal"
     "se, \042normalized\042: false, \042special\042: true}, {\042id\042: 1, \042content\042: \042</s>\042, \042single_"
     "word\042: false, \042lstrip\042: false, \042rstrip\042: false, \042normalized\042: false, \042special\042: "
     "true}, {\042id\042: 800, \042content\042: \042low\042, \042single_word\042: false, \042lstrip\042: false, \042rst"
     "rip\042: true, \042normalized\042: true, \042special\042: false}], \042model\042: {\042type\042: \042Unigram\042,"
     " \042unk_id\042: 2, \042byte_fallback\042: true,",
     {0x8f2da8d6, 0x89bb78b7, 0xc530b2c8, 0xea7667bc, 0x2d5467d8, 0x379e2ce8, 0xbd0ae584,
      0x9266ce28, 0x0c56a254, 0x6d511756, 0x9a99e01c, 0x9d8e8a5f, 0xa2edc277, 0x3a0b40ec,
      0x4d6dd974, 0x7c18ba0f, 0xc4682d7d, 0x5105bc81, 0x8cc2a3ea, 0x94e10fe2, 0xdf079ca6,
      0xd46ba3b0, 0xdca897da, 0x40630b7e, 0xe5932967, 0x9717b3b8, 0x482cafe4, 0x836970b4,
      0xebcd4d41, 0xa36d1e98, 0x3f36eca4, 0x005b2e5b, 0xe4197f51, 0x174ee8b3, 0xe61fe684,
      0x0e0a7143, 0x64d2a1c0, 0xb861b977, 0x9daa36a6, 0x4490afc6, 0x28eb2d89, 0x33431234,
      0x7df2025c, 0x550d1db8, 0x240001d6, 0x8d37cccf, 0x5a47a3be, 0xef6f2096, 0x1933bc4b,
      0xfc380a68},
     {0x85ac620b, 0x284a67d3, 0x78b3f928, 0x966c5a90, 0x376e2a85},
     {0x4dc37a0e, 0x63c72dc3, 0xf94bc717, 0xb1c42150, 0x089a626b, 0x86cd8de7, 0xc294ba7d,
      0x7f1b9fc9, 0x18761355, 0xa6d5f413}},
};
/* Strings, vocab_size, min_frequency, pattern; tokens learnt, hash. */
static const unsigned text_learnt[][6] = {
    {300, 700, 0, 0, 700, 0x4a8c7a07},
    {600, 1500, 2, 1, 1500, 0x1f3c86b3},
    {100, 5000, 3, 2, 432, 0x83274e7b},
    {2000, 4000, 0, 0, 4000, 0xa8505329}};
